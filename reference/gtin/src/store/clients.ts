import type { Database } from "@recourse/reference-shared";

/** The clients that may have tokens. */
export interface Clients {
  /** Whether the subject is known and the token is not revoked. It runs the same statement for any input. */
  accepts(subject: string | undefined, tokenId: string | undefined): Promise<boolean>;
}

const ACCEPTED = `
  select exists (select from client where subject = $1)
     and not exists (select from revoked_token where id = $2) as accepted`;

/** Creates the clients on a database. */
export function createClients(database: Database): Clients {
  return {
    async accepts(subject, tokenId) {
      const [row] = await database.read(ACCEPTED, [subject ?? null, tokenId ?? null]);
      return row?.["accepted"] === true;
    },
  };
}
