import { DIALECT_NAMES, type DialectName } from "../config/types.ts";

/** A statement with its values, as `pg` takes it. */
interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** What the keys need of a pool of PostgreSQL connections. */
export interface KeyPool {
  query(statement: Statement): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

/** An API key, as the database knows it. */
export interface StoredKey {
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
}

/** A key to store. */
export type NewKey = Omit<StoredKey, "created" | "revoked">;

/** API keys that all replicas share. */
export interface KeyStore {
  /** The key with a prefix, revoked or not. */
  find(prefix: string): Promise<StoredKey | undefined>;
  /** False where the prefix is taken. */
  add(key: NewKey): Promise<boolean>;
  /** All keys, the newest first. */
  list(): Promise<readonly StoredKey[]>;
  /** Revokes the keys with this prefix or this id, and gives their prefixes. Those that were revoked before are left out. */
  revoke(prefixOrId: string): Promise<readonly string[]>;
}

const COLUMNS = "prefix, sha256, id, tenant, tools, scopes, entitlements, dialect, created, expires, revoked";

/** The keys of a database whose tables were made by `createKeyTable`. */
export function postgresKeys(pool: KeyPool): KeyStore {
  return {
    async find(prefix) {
      const { rows } = await pool.query({
        name: "recourse_gateway_find_key",
        text: `select ${COLUMNS} from gateway_key where prefix = $1`,
        values: [prefix],
      });
      return rows[0] === undefined ? undefined : keyIn(rows[0] as Row);
    },
    async add(key) {
      const { rowCount } = await pool.query({
        text: `insert into gateway_key (prefix, sha256, id, tenant, tools, scopes, entitlements, dialect, expires)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
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
        ],
      });
      return rowCount === 1;
    },
    async list() {
      const { rows } = await pool.query({ text: `select ${COLUMNS} from gateway_key order by created desc, prefix` });
      return rows.map((row) => keyIn(row as Row));
    },
    async revoke(prefixOrId) {
      const { rows } = await pool.query({
        text: `update gateway_key set revoked = clock_timestamp()
          where (prefix = $1 or id = $1) and revoked is null returning prefix`,
        values: [prefixOrId],
      });
      return rows.map((row) => (row as Row).prefix);
    },
  };
}

type Row = Omit<StoredKey, "dialect" | "expires" | "revoked"> & {
  readonly dialect: string | null;
  readonly expires: Date | null;
  readonly revoked: Date | null;
};

function keyIn({ dialect, expires, revoked, ...row }: Row): StoredKey {
  return {
    ...row,
    // A newer version may know more dialects; MCP's own form is always right.
    dialect: DIALECT_NAMES.find((name) => name === dialect),
    expires: expires ?? undefined,
    revoked: revoked ?? undefined,
  };
}
