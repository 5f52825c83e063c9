import type { PostgresQuery } from "./pool.ts";
import { type TableOptions, tableNames } from "./schema.ts";

/** The statements of a table. */
export interface Statements {
  readonly claim: Prepared;
  readonly find: Prepared;
  readonly takeOver: Prepared;
  readonly settle: Prepared;
  readonly release: Prepared;
  readonly extend: Prepared;
  readonly deleteExpired: Prepared;
  readonly count: Prepared;
  readonly deleteCounts: Prepared;
}

/** A statement without its values. */
type Prepared = (values: unknown[]) => PostgresQuery;

/** Options of `createStatements`. */
export interface StatementOptions extends TableOptions {
  /** Whether each connection prepares them once. */
  readonly prepare: boolean;
  /** How long each may take, in ms. */
  readonly timeoutMs: number;
}

/** A transaction of one statement that sets how it is committed. The planner may not drop it, since it is read. */
const COMMIT_LATER = "(select set_config('synchronous_commit', 'off', true) as set offset 0) as later";
const COMMIT_NOW = `(select case when current_setting('synchronous_commit') = 'off'
    then set_config('synchronous_commit', 'on', true) else '' end as set offset 0) as now_or_never`;

const MS_EXPRESSION = "interval '1 millisecond'";
const DEADLINE = `coalesce(now() + $5::float8 * ${MS_EXPRESSION}, 'infinity')`;
const EXPIRES = `coalesce(now() + ($5::float8 + $6::float8) * ${MS_EXPRESSION}, 'infinity')`;
const KEPT_UNTIL = `now() + $4::float8 * ${MS_EXPRESSION}`;
const NOW_MS = "extract(epoch from now())::float8 * 1000";

/** All times are the database's. A transaction of one statement begins with it, so `now()` is the time of the statement. */
const SQL = {
  // No row comes back if the key is known; then nothing was written. A claim is on disk before its call runs.
  claim: (table: string) => `
    insert into ${table} (key, digest, owner, fence, deadline, expires)
    select $1::bytea, $2::bytea, $3::bytea, $4::bigint, ${DEADLINE}, ${EXPIRES}
    from ${COMMIT_NOW} where now_or_never.set is not null
    on conflict (key) do nothing returning true as claimed`,
  find: (table: string) => `
    select case when expires <= now() then 'expired' when digest <> $2::bytea then 'other' when settled then 'settled'
        when deadline > now() then 'running' else 'unknown' end as state,
      case when digest = $2::bytea then outcome end as outcome
    from ${table} where key = $1::bytea`,
  // The key is known, but its claim is expired, or late and to be taken over.
  takeOver: (table: string) => `
    update ${table} as known set digest = $2::bytea, owner = $3::bytea, fence = $4::bigint, settled = false,
      outcome = null, deadline = ${DEADLINE}, expires = ${EXPIRES}
    from ${COMMIT_NOW} where now_or_never.set is not null and key = $1::bytea and (expires <= now()
      or ($7::boolean and not settled and known.deadline <= now() and digest = $2::bytea))
    returning true as claimed`,
  // Lost in a crash of the database, it leaves the claim: the outcome is then unknown, and the key is never free. What was
  // claimed with a deadline expires late enough, so that no index changes.
  settle: (table: string) => `
    update ${table} as known set settled = true, outcome = $3::text, expires =
      case when deadline = 'infinity' then ${KEPT_UNTIL} else greatest(expires, ${KEPT_UNTIL}) end
    from ${COMMIT_LATER} where later.set is not null and key = $1::bytea and fence = $2::bigint and not settled`,
  release: (table: string) => `
    delete from ${table} as known using ${COMMIT_LATER}
    where later.set is not null and key = $1::bytea and fence = $2::bigint and not settled`,
  // $3 how long the call may still run, or null, $4 how long it is remembered after that. It never expires earlier than before,
  // so that most changes touch no index. It is on disk before a person is asked.
  extend: (table: string) => `
    update ${table} as known set deadline = coalesce(now() + $3::float8 * ${MS_EXPRESSION}, 'infinity'),
      expires = greatest(known.expires, coalesce(now() + ($3::float8 + $4::float8) * ${MS_EXPRESSION}, 'infinity'))
    from ${COMMIT_NOW} where now_or_never.set is not null and key = $1::bytea and fence = $2::bigint and not settled
    returning true as extended`,
  deleteExpired: (table: string) => `
    with expired as materialized (
      select key from ${table} where expires <= now() order by expires limit $1::bigint for update skip locked
    )
    delete from ${table} as known using expired where known.key = expired.key`,
  // $1 owner, $2 new keys, $3 how long one slot is, $4 how long it counts after it began. The row that is written is not seen
  // by the rest of its statement.
  count: (_table: string, share: string) => `
    with written as (
      insert into ${share} as known (owner, slot, n, expires)
      select $1::bytea, floor(${NOW_MS} / $3::float8)::bigint, greatest(0, $2::bigint), now() + $4::float8 * ${MS_EXPRESSION}
      from ${COMMIT_LATER} where later.set is not null
      on conflict (owner, slot) do update set n = greatest(0, known.n + $2::bigint)
      returning slot, n
    )
    select ${NOW_MS} - slot * $3::float8 as age_ms, n::float8 as n from (
      select slot, n from written union all
      select slot, n from ${share} where owner = $1::bytea and expires > now() and slot not in (select slot from written)
    ) as slots`,
  deleteCounts: (_table: string, share: string) => `delete from ${share} where expires <= now()`,
} as const satisfies Record<keyof Statements, (table: string, share: string) => string>;

/** The longest name of a prepared statement. */
const MAX_STATEMENT_NAME_LENGTH = 63;

/** The statements of a table, ready to be run. */
export function createStatements({ prepare, timeoutMs, ...options }: StatementOptions): Statements {
  const { quoted, share } = tableNames(options);
  const statement = (verb: keyof Statements): Prepared => {
    const text = SQL[verb](quoted, share);
    const name = statementName(quoted, verb);
    return (values) => ({ ...(prepare && { name }), text, values, query_timeout: timeoutMs });
  };
  return {
    claim: statement("claim"),
    find: statement("find"),
    takeOver: statement("takeOver"),
    settle: statement("settle"),
    release: statement("release"),
    extend: statement("extend"),
    deleteExpired: statement("deleteExpired"),
    count: statement("count"),
    deleteCounts: statement("deleteCounts"),
  };
}

/** A name for each table and verb; a number distinguishes long ones. */
function statementName(quoted: string, verb: string): string {
  const name = `recourse ${quoted} ${verb}`;
  return name.length <= MAX_STATEMENT_NAME_LENGTH ? name : `recourse ${verb} ${fnv1a(quoted).toString(16)}`;
}

/** FNV-1a of ASCII text, 64 bits. */
function fnv1a(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = BigInt.asUintN(64, (hash ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n);
  return hash;
}
