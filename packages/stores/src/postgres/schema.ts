import type { PostgresPool } from "./pool.ts";

/** Options that name the table. */
export interface TableOptions {
  /** The table, with its schema if it has one: `app.idempotency_keys`. @default "recourse_idempotency" */
  readonly table?: string;
}

const DEFAULT_TABLE = "recourse_idempotency";
const TABLE = /^[A-Za-z_][A-Za-z0-9_]{0,55}(?:\.[A-Za-z_][A-Za-z0-9_]{0,55})?$/;

/** The name of the table, quoted for SQL, and without its schema. */
export function tableOf({ table = DEFAULT_TABLE }: TableOptions): { readonly quoted: string; readonly name: string } {
  if (!TABLE.test(table)) throw new TypeError(`not the name of a table: ${table}`);
  const parts = table.split(".");
  return { quoted: parts.map((part) => `"${part}"`).join("."), name: parts.at(-1) as string };
}

/**
 * The SQL that makes the table, for a migration of your own. It changes nothing where the table is there.
 *
 * @example
 * await writeFile("migrations/007-idempotency.sql", schemaSql());
 */
export function schemaSql(options: TableOptions = {}): string {
  const { quoted, name } = tableOf(options);
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
`;
}

/**
 * Makes the table where it is not there yet. Several processes may do so at once.
 *
 * @example
 * await createSchema(pool);
 */
export async function createSchema(pool: PostgresPool, options: TableOptions = {}): Promise<void> {
  const sql = schemaSql(options);
  // Without the lock, two processes that make the same table at the same time fail.
  await pool.query({ text: `select pg_advisory_xact_lock(727861737, 1);\n${sql}` });
}
