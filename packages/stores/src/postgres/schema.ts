import type { PostgresPool } from "./pool.ts";

/** Options that name the table. */
export interface TableOptions {
  /** The table, with its schema if it has one: `app.idempotency_keys`. @default "recourse_idempotency" */
  readonly table?: string;
}

const DEFAULT_TABLE = "recourse_idempotency";
const TABLE = /^[A-Za-z_][A-Za-z0-9_]{0,55}(?:\.[A-Za-z_][A-Za-z0-9_]{0,55})?$/;

/** The names of the tables, quoted for SQL, and that of the keys without its schema. */
interface TableNames {
  readonly quoted: string;
  readonly name: string;
  /** How many keys each caller has used. */
  readonly share: string;
}

export function tableNames({ table = DEFAULT_TABLE }: TableOptions): TableNames {
  if (!TABLE.test(table)) throw new TypeError(`not the name of a table: ${table}`);
  const quote = (name: string) =>
    name
      .split(".")
      .map((part) => `"${part}"`)
      .join(".");
  return { quoted: quote(table), name: table.split(".").at(-1) as string, share: quote(`${table}_share`) };
}

/**
 * The SQL that makes the tables, for a migration of your own. It changes nothing if they exist already.
 *
 * @example
 * await writeFile("migrations/007-idempotency.sql", schemaSql());
 */
export function schemaSql(options: TableOptions = {}): string {
  const { quoted, name, share } = tableNames(options);
  return `create table if not exists ${quoted} (
  key bytea primary key,
  digest bytea not null,
  owner bytea not null,
  fence bigint not null,
  settled boolean not null default false,
  outcome text,
  deadline timestamptz not null,
  expires timestamptz not null
) with (fillfactor = 70);
create index if not exists "${name}_expires" on ${quoted} (expires);
create table if not exists ${share} (
  owner bytea not null,
  slot bigint not null,
  n bigint not null,
  expires timestamptz not null,
  primary key (owner, slot)
) with (fillfactor = 70);
`;
}

/**
 * Makes the tables if they do not exist yet. Several processes may do so at once.
 *
 * @example
 * await createSchema(pool);
 */
export async function createSchema(pool: PostgresPool, options: TableOptions = {}): Promise<void> {
  const sql = schemaSql(options);
  // Without the lock, two processes that make the same table at the same time fail.
  await pool.query({ text: `select pg_advisory_xact_lock(727861737, 1);\n${sql}` });
}
