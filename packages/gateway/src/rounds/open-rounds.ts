import { randomBytes } from "node:crypto";
import { migrate } from "../stores/migrate.ts";
import type { Stores } from "../stores/open-stores.ts";
import { createRounds, type Rounds, type RoundsOptions } from "./rounds.ts";

/** What each version adds, in order. Entries are never changed. The first replica makes the secret: 244 random bits. */
const VERSIONS = [
  `create table gateway_secret (name text primary key, secret bytea not null);
  insert into gateway_secret values
    ('rounds', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));`,
] as const;

/**
 * Opens the rounds of a gateway. Their secret is in the database, where there is one, so that the replicas share it;
 * otherwise it ends with the process, and callers whose rounds were open begin anew.
 */
export async function openRounds(stores: Stores, options: RoundsOptions = {}): Promise<Rounds> {
  if (stores.mode === "memory") return createRounds(randomBytes(32), options);
  await migrate(stores.pool, "secrets", VERSIONS);
  const { rows } = await stores.pool.query<{ secret: Buffer }>(
    "select secret from gateway_secret where name = 'rounds'",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the table gateway_secret has lost the secret of the rounds");
  return createRounds(row.secret, options);
}
