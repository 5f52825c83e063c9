import { createHash } from "node:crypto";
import type { Database } from "@recourse/reference-ground";

/** A key that is honoured. */
export interface Key {
  readonly id: string;
  readonly mayWrite: boolean;
  /** The workspaces that it spans. */
  readonly workspaces: readonly string[];
}

/** Finds the key of a request by its `Authorization` header. */
export type FindKey = (authorization: string | null) => Promise<Key | undefined>;

const HONOURED = `
  select id, may_write,
    array(select workspace_id from key_workspace where key_id = api_key.id order by workspace_id) as workspaces
  from api_key
  where digest = $1 and disabled_at is null and (expires_at is null or expires_at > $2)`;

/**
 * Finds keys in the database.
 *
 * Missing, malformed, unknown, expired and disabled keys take the same way: each has a digest, one question is asked about
 * it, and the answer is no row. So neither the reply nor the time that it takes tells them apart.
 */
export function keysIn(database: Database, now: () => number): FindKey {
  return async (authorization) => {
    const [, text = ""] = /^Bearer +(.*)$/i.exec(authorization ?? "") ?? [];
    const digest = createHash("sha256").update(text).digest();
    const [row] = await database.read(HONOURED, [digest, new Date(now())]);
    if (row === undefined) return undefined;
    return {
      id: String(row["id"]),
      mayWrite: row["may_write"] === true,
      workspaces: row["workspaces"] as readonly string[],
    };
  };
}
