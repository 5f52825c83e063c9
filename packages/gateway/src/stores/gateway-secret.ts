import { randomBytes } from "node:crypto";
import type { Stores } from "./open-stores.ts";
import { migrate, type SchemaPart } from "./postgres.ts";

/** What each version adds, in order. Entries are never changed. The first replica makes the secret: 244 random bits. */
const SECRET_TABLE_VERSIONS = [
  `create table gateway_secret (name text primary key, secret bytea not null);
  insert into gateway_secret values
    ('rounds', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));`,
] as const;

export const SECRET_SCHEMA: SchemaPart = { part: "secrets", versions: SECRET_TABLE_VERSIONS };

/**
 * Opens the secret that a gateway signs with what callers send back to it: rounds, sessions, tasks. What is signed
 * begins with a label of its sort, so that nothing passes for another. The secret is in the database, if there is one,
 * so that the replicas share it; otherwise it ends with the process, and what it signed is refused from then on.
 */
export async function openGatewaySecret(stores: Stores): Promise<Buffer> {
  if (stores.mode === "memory") return randomBytes(32);
  await migrate(stores.pool, [SECRET_SCHEMA]);
  // It was named when only rounds were signed.
  const { rows } = await stores.pool.query<{ secret: Buffer }>(
    "select secret from gateway_secret where name = 'rounds'",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the table gateway_secret has lost its secret");
  return row.secret;
}
