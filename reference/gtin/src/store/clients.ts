import type { Database } from "@recourse/reference-ground";

/** Which tokens are honoured. */
export interface Clients {
  /** Whether the subject is known and the token is not revoked; the same question for whatever is asked, even nothing. */
  accepts(subject: string | undefined, tokenId: string | undefined): Promise<boolean>;
}

const ACCEPTED = `
  select exists (select from client where subject = $1)
     and not exists (select from revoked_token where id = $2) as accepted`;

/** The clients in the database. */
export function clientsIn(database: Database): Clients {
  return {
    async accepts(subject, tokenId) {
      const [row] = await database.read(ACCEPTED, [subject ?? null, tokenId ?? null]);
      return row?.["accepted"] === true;
    },
  };
}
