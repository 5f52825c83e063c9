import { isDataError } from "@recourse/stores/postgres";
import type { Observer } from "../call/observer.ts";
import { DAY_MS, HOUR_MS } from "../incidents/incidents.ts";
import { clean, MAX_NAME } from "../incidents/sample.ts";
import { inTransaction, withConnection } from "../incidents/tables.ts";
import { migrate, type Pool, type PoolClient, type SchemaPart } from "../stores/postgres.ts";
import {
  type Change,
  type ChangeFilter,
  type ChangeKind,
  type ChangeStore,
  readChangeCursor,
  type WaitingChange,
} from "./changes.ts";

/** What each version adds, in order. Entries are never changed. */
const CHANGE_TABLE_VERSIONS = [
  `create table gateway_event (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    kind text not null,
    what text not null,
    target text not null,
    actor text,
    replica text,
    facts jsonb not null,
    once text unique
  );
  create index gateway_event_at on gateway_event (at, id);
  create index gateway_event_operator on gateway_event (id) where kind = 'operator';
  create table gateway_replica (
    id text primary key,
    name text not null,
    version text not null,
    started timestamptz not null,
    seen timestamptz not null default clock_timestamp(),
    parts jsonb not null
  );`,
] as const;

const CHANGES_KEPT_MS = 90 * DAY_MS;
/** Of several replicas that record equal changes at one moment, one comes first. */
const LOCK_CHANGES = "select pg_advisory_xact_lock(727861737, 5)";

export const CHANGE_SCHEMA: SchemaPart = { part: "changes", versions: CHANGE_TABLE_VERSIONS };

/** Makes the tables of changes and processes, or brings them up to date. */
export function createChangeTables(pool: Pool): Promise<void> {
  return migrate(pool, [CHANGE_SCHEMA]);
}

/** Changes in a database that all replicas share. Its tables were made by `createChangeTables`. */
export function postgresChanges(
  pool: Pool,
  observer: Pick<Observer, "log">,
  { deleteEveryMs = HOUR_MS * (1 + Math.random()) }: { readonly deleteEveryMs?: number } = {},
): ChangeStore {
  const timer = setInterval(() => {
    const values = [CHANGES_KEPT_MS];
    pool
      .query({
        text: "delete from gateway_event where kind <> 'operator' and at < clock_timestamp() - $1 * interval '1 ms'",
        values,
      })
      .catch(() => observer.log("warn", "Old changes could not be deleted; it is tried again."));
  }, deleteEveryMs).unref();
  return {
    add: (changes) => withConnection(pool, (connection) => addAll(connection, changes, observer)),
    list: (filter) => listChanges(pool, filter),
    close: () => clearInterval(timer),
  };
}

/** One transaction for all, or one for each if the database refuses what one of them contains. */
async function addAll(
  connection: PoolClient,
  changes: readonly WaitingChange[],
  observer: Pick<Observer, "log">,
): Promise<readonly Change[]> {
  try {
    return await inTransaction(connection, async () => {
      await connection.query({ text: LOCK_CHANGES });
      const added: Change[] = [];
      for (const change of changes) added.push(...(await addOne(connection, change)));
      return added;
    });
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (changes.length > 1) {
      const added: Change[] = [];
      for (const change of changes) added.push(...(await addAll(connection, [change], observer)));
      return added;
    }
    observer.log("error", "PostgreSQL refuses a change; it is not kept.", { kind: changes[0]?.kind });
    return [];
  }
}

/** $1 time, $2 kind, $3 what, $4 target, $5 replica, $6 facts, $7 name, $8 ms in which equal changes are one. */
const ADD_CHANGE = `
  insert into gateway_event (at, kind, what, target, replica, facts, once)
  select $1::timestamptz, $2::text, $3::text, $4::text, $5::text, $6::jsonb, $7::text where $8::float8 = 0 or not exists (
    select 1 from gateway_event where kind = $2 and what = $3 and target = $4 and facts = $6::jsonb
    and at > $1::timestamptz - $8::float8 * interval '1 ms' and once <> $7)
  on conflict (once) do update set facts = gateway_event.facts || excluded.facts
    where not gateway_event.facts @> excluded.facts
  returning id::text as id, xmax = 0 as is_new`;

async function addOne(connection: PoolClient, change: WaitingChange): Promise<readonly Change[]> {
  const { kind, what, replica, facts, once, mergeMs = 0 } = change;
  const at = new Date(change.atMs).toISOString();
  const target = clean(change.target, MAX_NAME);
  const values = [at, kind, what, target, replica, JSON.stringify(facts), clean(once, 1_024), mergeMs];
  const { rows } = await connection.query<{ id: string; is_new: boolean }>(ADD_CHANGE, values);
  const [row] = rows;
  return row?.is_new === true ? [{ id: row.id, at, kind, what, target, replica, facts }] : [];
}

/** $1 kind, $2 target, $3 since, $4 until, $5 and $6 the place of the last row of the page before, $7 how many. */
const SELECT_CHANGES = `
  select id::text as id, at, (extract(epoch from at) * 1000000)::bigint::text as micros,
    kind, what, target, actor, replica, facts from gateway_event
  where ($1::text is null or kind = $1) and ($2::text is null or target = $2)
    and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)
    and ($5::bigint is null or (at, id) < ('epoch'::timestamptz + $5::bigint * interval '1 us', $6::bigint))
  order by at desc, gateway_event.id desc limit $7`;

interface ListedRow {
  readonly id: string;
  readonly at: Date;
  readonly micros: string;
  readonly kind: ChangeKind;
  readonly what: string;
  readonly target: string;
  readonly actor: string | null;
  readonly replica: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

async function listChanges(pool: Pool, filter: ChangeFilter): ReturnType<ChangeStore["list"]> {
  const { kind = null, target = null, since = null, until = null, limit } = filter;
  const cursor = readChangeCursor(filter.before);
  const values = [kind, target, since, until, cursor?.micros ?? null, cursor?.id ?? null, limit + 1];
  const { rows } = await pool.query<ListedRow>(SELECT_CHANGES, values);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const items = page.map(({ id, at, kind: of, what, target: to, actor, replica, facts }) => ({
    ...{ id, at: at.toISOString(), kind: of, what, target: to, facts },
    ...(actor !== null && { by: actor }),
    ...(replica !== null && { replica }),
  }));
  const isMore = rows.length > page.length && last !== undefined;
  return { items, next: isMore ? `${last.micros}.${last.id}` : null };
}
