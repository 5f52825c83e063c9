import { createHash } from "node:crypto";
import type { Database } from "@recourse/reference-shared";

/** A valid API key. */
export interface ApiKey {
  readonly id: string;
  readonly mayWrite: boolean;
  /** The workspaces that it has access to. */
  readonly workspaces: readonly string[];
}

/** Finds the API key in an `Authorization` header; undefined for anything but a valid key. */
export type FindKey = (authorization: string | null) => Promise<ApiKey | undefined>;

const VALID_KEY = `
  select id, may_write,
    array(select workspace_id from key_workspace where key_id = api_key.id order by workspace_id) as workspaces
  from api_key
  where digest = $1 and disabled_at is null and (expires_at is null or expires_at > $2)`;

/**
 * Creates the look-up of API keys in the database.
 *
 * Missing, malformed, unknown, expired and disabled keys are handled alike: each is hashed, and the same statement finds no
 * row. So neither the answer nor its duration shows what is wrong with a key.
 */
export function createFindKey(database: Database, now: () => number): FindKey {
  return async (authorization) => {
    const [, text = ""] = /^Bearer +(.*)$/i.exec(authorization ?? "") ?? [];
    const digest = createHash("sha256").update(text).digest();
    const [row] = await database.read(VALID_KEY, [digest, new Date(now())]);
    if (row === undefined) return undefined;
    return {
      id: String(row["id"]),
      mayWrite: row["may_write"] === true,
      workspaces: row["workspaces"] as readonly string[],
    };
  };
}
