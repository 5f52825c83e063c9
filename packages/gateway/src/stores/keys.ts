import type pg from "pg";
import { DIALECT_NAMES, type DialectName } from "../config/types.ts";
import { migrate, type SchemaPart } from "./postgres.ts";

export interface StoredApiKey {
  readonly prefix: string;
  readonly sha256: Buffer;
  readonly id: string;
  readonly tenant: string;
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
  readonly dialect: DialectName | undefined;
  readonly created: Date;
  readonly expires: Date | undefined;
  readonly revoked: Date | undefined;
  /** The operator who made it; undefined if the command line did. */
  readonly createdBy?: string | undefined;
  /** The hour in which it was last accepted; undefined if it never was. */
  readonly lastUsed?: Date | undefined;
}

export type NewKey = Omit<StoredApiKey, "created" | "revoked" | "lastUsed">;

/** API keys that all replicas share. */
export interface KeyStore {
  /** The key with a prefix, revoked or not. */
  find(prefix: string): Promise<StoredApiKey | undefined>;
  add(key: NewKey): Promise<boolean>;
  /** All keys, the newest first. */
  list(): Promise<readonly StoredApiKey[]>;
  /** Revokes the keys with this prefix or this id, and gives their prefixes. Those that were revoked before are left out. */
  revoke(prefixOrId: string): Promise<readonly string[]>;
  /** The key was accepted in this hour. It writes once an hour, whatever the number of replicas. */
  markUsed(prefix: string): Promise<void>;
}

const KEY_COLUMNS =
  "prefix, sha256, id, tenant, tools, scopes, entitlements, dialect, created, expires, revoked, created_by, last_used";
/** The present hour. In UTC: zones can be shifted by half an hour. */
const THIS_HOUR = "date_trunc('hour', clock_timestamp(), 'UTC')";

/** The keys of a database whose tables were made by `createKeyTable`. */
export function postgresKeys(pool: pg.Pool): KeyStore {
  return {
    async find(prefix) {
      const { rows } = await pool.query<KeyRow>({
        name: "recourse_gateway_find_key",
        text: `select ${KEY_COLUMNS} from gateway_key where prefix = $1`,
        values: [prefix],
      });
      return rows[0] === undefined ? undefined : readKeyRow(rows[0]);
    },
    async add(key) {
      const { rowCount } = await pool.query({
        text: `insert into gateway_key (prefix, sha256, id, tenant, tools, scopes, entitlements, dialect, expires, created_by)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
        values: [
          key.prefix,
          key.sha256,
          key.id,
          key.tenant,
          key.tools,
          key.scopes,
          key.entitlements,
          key.dialect ?? null,
          key.expires ?? null,
          key.createdBy ?? null,
        ],
      });
      return rowCount === 1;
    },
    async list() {
      const { rows } = await pool.query<KeyRow>({
        text: `select ${KEY_COLUMNS} from gateway_key order by created desc, prefix`,
      });
      return rows.map(readKeyRow);
    },
    async revoke(prefixOrId) {
      const { rows } = await pool.query<KeyRow>({
        text: `update gateway_key set revoked = clock_timestamp()
          where (prefix = $1 or id = $1) and revoked is null returning prefix`,
        values: [prefixOrId],
      });
      return rows.map((row) => row.prefix);
    },
    async markUsed(prefix) {
      await pool.query({
        text: `update gateway_key set last_used = ${THIS_HOUR}
          where prefix = $1 and (last_used is null or last_used < ${THIS_HOUR})`,
        values: [prefix],
      });
    },
  };
}

type KeyRow = Omit<StoredApiKey, "dialect" | "expires" | "revoked" | "createdBy" | "lastUsed"> & {
  readonly created_by: string | null;
  readonly last_used: Date | null;
  readonly dialect: string | null;
  readonly expires: Date | null;
  readonly revoked: Date | null;
};

function readKeyRow({ dialect, expires, revoked, created_by, last_used, ...row }: KeyRow): StoredApiKey {
  return {
    ...row,
    // A newer version may know more dialects; MCP's own form is always right.
    dialect: DIALECT_NAMES.find((name) => name === dialect),
    expires: expires ?? undefined,
    revoked: revoked ?? undefined,
    createdBy: created_by ?? undefined,
    lastUsed: last_used ?? undefined,
  };
}

/** What each version adds, in order. Entries are never changed. */
const KEY_TABLE_VERSIONS = [
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
  "alter table gateway_key add column created_by text, add column last_used timestamptz;",
] as const;

export const KEY_SCHEMA: SchemaPart = { part: "keys", versions: KEY_TABLE_VERSIONS };

export function createKeyTable(pool: pg.Pool): Promise<void> {
  return migrate(pool, [KEY_SCHEMA]);
}
