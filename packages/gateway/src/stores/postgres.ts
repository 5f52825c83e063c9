import pg from "pg";
import { readAddress, StoreUnavailableError } from "./store-error.ts";

/** A pool that is open. */
export interface OpenPostgres {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 16;
const POSTGRES_CONNECT_MS = 5_000;

/** Opens a pool and checks that it can be written to. It rejects with an error that contains no credential. */
export async function openPostgres(url: string, onError: (error: unknown) => void): Promise<OpenPostgres> {
  const where = `PostgreSQL at ${readAddress(url)}`;
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: POSTGRES_CONNECT_MS,
    application_name: "recourse-gateway",
  });
  // A connection that breaks while nothing uses it is replaced.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  let isReadOnly: boolean;
  try {
    const { rows } = await pool.query<{ read_only: boolean }>("select pg_is_in_recovery() as read_only");
    isReadOnly = rows[0]?.read_only === true;
  } catch (cause) {
    await pool.end().catch(() => {});
    throw new StoreUnavailableError(where, cause);
  }
  if (isReadOnly) {
    await pool.end();
    throw new StoreUnavailableError(where, { code: "25006" });
  }
  return { pool, close: () => pool.end() };
}

/** What migrations need of a pool. */
interface MigrationPool {
  query(query: { readonly text: string }): Promise<unknown>;
}

/** Options of `migrate`. */
interface MigrateOptions {
  /**
   * How long a change waits for those who use a table. While it waits, new queries of the table wait behind it, and those are
   * the calls of running replicas. @default 3_000
   */
  readonly lockMs?: number;
}

/**
 * Makes the tables of one part, or brings them up to date. `versions` is the SQL that each version adds, in order;
 * entries are never changed, since databases remember how many of them they have. Replicas that start together do it
 * one after the other; if nothing has to be done, no right to create tables is needed. A database that is newer is left
 * as it is: a version only adds what older gateways do not look at, so two versions can run at the same time. It
 * rejects, and has changed nothing, if a table that it changes is in use for seconds.
 */
export async function migrate(
  pool: MigrationPool,
  part: string,
  versions: readonly string[],
  { lockMs = 3_000 }: MigrateOptions = {},
): Promise<void> {
  const steps = versions.map((sql, index) => `if have < ${index + 1} then ${sql} end if;`).join("\n");
  const text = `do $$ declare have int := 0; begin
    perform pg_advisory_xact_lock(727861737, 2);
    perform set_config('lock_timeout', '${lockMs}', true);
    if to_regclass('gateway_schema') is null then
      create table gateway_schema (part text primary key, version int not null);
    end if;
    select coalesce(max(version), 0) into have from gateway_schema where gateway_schema.part = '${part}';
    if have >= ${versions.length} then return; end if;
    ${steps}
    insert into gateway_schema values ('${part}', ${versions.length})
      on conflict (part) do update set version = excluded.version;
  end $$`;
  try {
    await pool.query({ text });
  } catch (cause) {
    throw new StoreUnavailableError("PostgreSQL", cause);
  }
}
