import type pg from "pg";
import { readAddress, StoreUnavailableError } from "./store-error.ts";
import { timedPool } from "./timed-stores.ts";

/** The driver's own types, for those who are handed a pool. */
export type { Pool, PoolClient, QueryResultRow } from "pg";

export interface OpenPostgres {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 16;
const POSTGRES_CONNECT_MS = 5_000;

interface PostgresOptions {
  /** Receives how long each answer took. @default nobody measures */
  readonly onAnswered?: Parameters<typeof timedPool>[1];
}

/** Opens a pool and checks that it can be written to. It rejects with an error that contains no credential. */
export async function openPostgres(
  url: string,
  onError: (error: unknown) => void,
  { onAnswered = () => {} }: PostgresOptions = {},
): Promise<OpenPostgres> {
  const where = `PostgreSQL at ${readAddress(url)}`;
  const pool = timedPool(
    {
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: POSTGRES_CONNECT_MS,
      application_name: "recourse-gateway",
    },
    onAnswered,
  );
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

export interface SchemaPart {
  /** A name of letters only. */
  readonly part: string;
  /**
   * The SQL that each version adds, in order. Entries are never changed, since databases remember how many of them they have.
   * A version only adds what older gateways do not look at, so that two versions can run at the same time.
   */
  readonly versions: readonly string[];
  /**
   * The least number of versions that a gateway must know to use the tables, once something was removed from them. Gateways that
   * know fewer refuse to start. @default 0
   */
  readonly oldest?: number;
}

interface MigrateOptions {
  /**
   * How long all changes together wait for those who use a table. While they wait, new queries of the table wait behind them,
   * and those are the calls of running replicas. @default 3_000
   */
  readonly lockMs?: number;
}

/** A state that PostgreSQL does not use itself. */
const TOO_OLD_STATE = "RG001";
/** `oldest` of a part; databases from before there was something to remove have no such column. */
const OLDEST = "coalesce(max((to_jsonb(known) ->> 'oldest')::int), 0)";

/**
 * Makes the tables of some parts, or brings them up to date: all of them or, if it rejects, none. Replicas that start together
 * do it one after the other; if nothing has to be done, no right to create tables is needed. A database that is newer is left
 * as it is. It rejects if a table that it changes is in use for seconds, or if a newer gateway removed what this one uses.
 */
export async function migrate(
  pool: pg.Pool,
  parts: readonly SchemaPart[],
  { lockMs = 3_000 }: MigrateOptions = {},
): Promise<void> {
  const text = `do $$ declare have int; schema_oldest int; schema_began timestamptz; begin
    perform pg_advisory_xact_lock(727861737, 2);
    schema_began := clock_timestamp();
    if to_regclass('gateway_schema') is null then
      create table gateway_schema (part text primary key, version int not null);
    end if;
    ${parts.map((part) => migrationOf(part, lockMs)).join("\n")}
  end $$`;
  try {
    await pool.query(text);
  } catch (cause) {
    throw new StoreUnavailableError("PostgreSQL", cause);
  }
}

function migrationOf({ part, versions, oldest = 0 }: SchemaPart, lockMs: number): string {
  const newest = versions.length;
  const steps = versions.map((sql, index) => `if have < ${index + 1} then ${sql} end if;`).join("\n");
  // What was waited for one part is not there for the next.
  const left = `greatest(1, ${lockMs} - extract(epoch from clock_timestamp() - schema_began) * 1000)::int::text`;
  const remember =
    oldest === 0
      ? ""
      : `alter table gateway_schema add column if not exists oldest int not null default 0;
      update gateway_schema as known set oldest = ${oldest} where known.part = '${part}';`;
  return `select coalesce(max(version), 0), ${OLDEST} into have, schema_oldest from gateway_schema as known
      where known.part = '${part}';
    if schema_oldest > ${newest} then raise sqlstate '${TOO_OLD_STATE}'; end if;
    if have < ${newest} then
      perform set_config('lock_timeout', ${left}, true);
      ${steps}
      insert into gateway_schema (part, version) values ('${part}', ${newest})
        on conflict (part) do update set version = excluded.version;
      ${remember}
    end if;`;
}

export interface PartVersion {
  readonly part: string;
  /** 0 if it has no tables of it. */
  readonly has: number;
  readonly knows: number;
  /** `newer` works; `unusable`: a newer gateway removed what this one uses. */
  readonly state: "current" | "older" | "newer" | "unusable";
}

/** What can be known about a database before a gateway starts with it. */
export interface SchemaState {
  readonly parts: readonly PartVersion[];
  /** Whether the user may create tables, which a database that is older needs. */
  readonly mayCreate: boolean;
}

const READ_RIGHT = "select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create";
const HAS_SCHEMA = "select to_regclass('gateway_schema') is not null as has_schema";
const READ_SCHEMA = `select part, max(version) as version, ${OLDEST} as oldest from gateway_schema as known group by part`;

/** Compares a database with the parts that this version knows. PostgreSQL refuses every change in the transaction. */
export async function readSchemaState(pool: pg.Pool, parts: readonly SchemaPart[]): Promise<SchemaState> {
  const client = await pool.connect();
  try {
    await client.query("begin transaction read only");
    const right = await client.query<{ may_create: boolean }>(READ_RIGHT);
    const schema = await client.query<{ has_schema: boolean }>(HAS_SCHEMA);
    const { rows } = schema.rows[0]?.has_schema === true ? await client.query<SchemaRow>(READ_SCHEMA) : { rows: [] };
    return {
      parts: parts.map((part) =>
        comparePart(
          part,
          rows.find((row) => row.part === part.part),
        ),
      ),
      mayCreate: right.rows[0]?.may_create === true,
    };
  } catch (cause) {
    throw new StoreUnavailableError("PostgreSQL", cause);
  } finally {
    await client.query("rollback").catch(() => undefined);
    client.release();
  }
}

interface SchemaRow {
  readonly part: string;
  readonly version: number;
  readonly oldest: number;
}

function comparePart({ part, versions }: SchemaPart, row: SchemaRow | undefined): PartVersion {
  const { version: has = 0, oldest = 0 } = row ?? {};
  const knows = versions.length;
  const state = oldest > knows ? "unusable" : has < knows ? "older" : has > knows ? "newer" : "current";
  return { part, has, knows, state };
}
