import type { KeyPool } from "./keys.ts";
import { migrate } from "./migrate.ts";

/** What each version adds, in order. Entries are never changed. */
const VERSIONS = [
  `create table gateway_key (
    prefix text primary key,
    sha256 bytea not null,
    id text not null,
    tenant text not null,
    tools text[] not null,
    scopes text[] not null,
    entitlements text[] not null,
    dialect text,
    created timestamptz not null default clock_timestamp(),
    expires timestamptz,
    revoked timestamptz
  );
  create index gateway_key_id on gateway_key (id);`,
] as const;

/** Makes the table of the keys, or brings it up to date. */
export function createKeyTable(pool: KeyPool): Promise<void> {
  return migrate(pool, "keys", VERSIONS);
}
