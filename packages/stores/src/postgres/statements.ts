import type { PostgresQuery } from "./pool.ts";
import { type TableOptions, tableNames } from "./schema.ts";

export interface Statements {
  readonly claim: PreparedRows<ClaimRow>;
  readonly find: Prepared;
  readonly takeOver: Prepared;
  readonly settle: PreparedRows<SettledRow>;
  readonly release: Prepared;
  readonly extend: Prepared;
  readonly deleteExpired: Prepared;
  readonly count: Prepared;
  readonly deleteCounts: Prepared;
  readonly hold: Prepared;
  readonly readHold: Prepared;
}

/** A claim to make; no time means no deadline. Keys, digests and owners are literals. */
export type ClaimRow = readonly [
  key: string,
  digest: string,
  owner: string,
  fence: number,
  leftMs: number | null,
  honoured: boolean,
];

/** A claim with the outcome of its call, or null if that is not kept. */
export type SettledRow = readonly [key: string, fence: number, outcome: string | null];

/** A statement about at most `MAX_ROWS` claims, which are then remembered for a time. */
type PreparedRows<Row> = (keepMs: number, rows: readonly Row[]) => PostgresQuery;

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
/** The time after some ms; none is never. */
const after = (ms: string) => `coalesce(now() + (${ms}) * ${MS_EXPRESSION}, 'infinity')`;
/**
 * A hold is a row of the table itself, so that every backup can be held, whatever made it, and one that is over is deleted with
 * the expired keys. Its key is empty, and those of calls never are.
 */
const HOLD_KEY = "''::bytea";
const isKeyHeld = (table: string) =>
  `exists (select from ${table} as hold where hold.key = ${HOLD_KEY} and hold.expires > now())`;
const NOW_MS = "extract(epoch from now())::float8 * 1000";

/** All times are the database's. A transaction of one statement begins with it, so `now()` is the time of the statement. */
const SQL = {
  find: (table: string) => `
    select case when expires <= now() then 'expired' when digest <> $2::bytea then 'other' when settled then 'settled'
        when deadline > now() then 'running' else 'unknown' end as state,
      case when digest = $2::bytea then outcome end as outcome
    from ${table} where key = $1::bytea`,
  // The key is known, but its claim is expired, or late and to be taken over.
  takeOver: (table: string) => `
    update ${table} as known set digest = $2::bytea, owner = $3::bytea, fence = $4::bigint, settled = false,
      outcome = null, deadline = ${after("$5::float8")}, expires = ${after("$5::float8 + $6::float8")}
    from ${COMMIT_NOW} where now_or_never.set is not null and key = $1::bytea and (
      (expires <= now() and ($7::boolean or not ${isKeyHeld(table)}))
      or ($7::boolean and not settled and known.deadline <= now() and digest = $2::bytea))
    returning true as claimed`,
  release: (table: string) => `
    delete from ${table} as known using ${COMMIT_LATER}
    where later.set is not null and key = $1::bytea and fence = $2::bigint and not settled`,
  // $3 how long the call may still run, or null, $4 how long it is remembered after that. It never expires earlier than before,
  // so that most changes touch no index. It is on disk before a person is asked.
  extend: (table: string) => `
    update ${table} as known set deadline = ${after("$3::float8")},
      expires = greatest(known.expires, ${after("$3::float8 + $4::float8")})
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
  // $1 until when. Two holds are one, until the later time.
  hold: (table: string) => `
    insert into ${table} as known (key, digest, owner, fence, deadline, expires)
    values (${HOLD_KEY}, '', '', 0, now(), $1::timestamptz)
    on conflict (key) do update set expires = greatest(known.expires, excluded.expires)`,
  readHold: (table: string) => `
    select expires, (extract(epoch from expires) - extract(epoch from now()))::float8 * 1000 as left_ms
    from ${table} where key = ${HOLD_KEY} and expires > now()`,
} as const satisfies Record<Exclude<keyof Statements, keyof typeof ROWS_SQL>, (table: string, share: string) => string>;

/** How many rows one statement can have. Each number has a statement of its own, and is filled up with rows of null. */
const ROW_COUNTS = [1, 2, 4, 8, 16] as const;
/** The most rows of one statement. */
export const MAX_ROWS = 16;

/** The SQL of a statement about several claims. `$1` is how long they are remembered, then come the values of each row. */
interface RowsSql {
  readonly types: readonly string[];
  /** The statement; the values of each row are SQL. */
  readonly sql: (table: string, rows: readonly (readonly string[])[]) => string;
}

const ROWS_SQL = {
  // The fences of keys that are known, or held back, do not come back; for those nothing was written. A claim is on disk
  // before its call runs. Whoever claims several keys claims them in the same order, so that none waits for another in a circle.
  claim: {
    types: ["bytea", "bytea", "bytea", "bigint", "float8", "boolean"],
    sql: (table, rows) => `
      insert into ${table} (key, digest, owner, fence, deadline, expires)
      select key, digest, owner, fence, ${after("left_ms")}, ${after("left_ms + $1::float8")}
      from (values ${rows.map((values) => `(${values.join(", ")})`).join(", ")})
        as claims (key, digest, owner, fence, left_ms, honoured), ${COMMIT_NOW}
      where now_or_never.set is not null and key is not null and (honoured or not ${isKeyHeld(table)}) order by key
      on conflict (key) do nothing returning fence::float8 as fence`,
  },
  // Lost in a crash of the database, it leaves the claims: the outcomes are then unknown, and the keys are never free. What
  // was claimed with a deadline expires late enough, so that no index changes. Each claim has an update of its own, which
  // finds its key by the index: a join with a list could be planned once for a small table, and read all of a large one.
  settle: {
    types: ["bytea", "bigint", "text"],
    sql(table, rows) {
      const keptUntil = after("$1::float8");
      const [first, ...others] = rows.map(
        ([key, fence, outcome]) => `
        update ${table} as known set settled = true, outcome = ${outcome}, expires =
          case when deadline = 'infinity' then ${keptUntil} else greatest(expires, ${keptUntil}) end
        from later where later.set is not null and key = ${key} and fence = ${fence} and not settled`,
      );
      const before = others.map((update, at) => `, other${at} as (${update})`).join("");
      return `with later as materialized (select * from ${COMMIT_LATER})${before} ${first}`;
    },
  },
} as const satisfies Record<string, RowsSql>;

/** The longest name of a prepared statement. */
const MAX_STATEMENT_NAME_LENGTH = 63;

/** The statements of a table, ready to be run. */
export function createStatements({ prepare, timeoutMs, ...options }: StatementOptions): Statements {
  const { quoted, share } = tableNames(options);
  const prepared = (verb: string, text: string): Prepared => {
    const name = statementName(quoted, verb);
    return (values) => ({ ...(prepare && { name }), text, values, query_timeout: timeoutMs });
  };
  const statement = (verb: keyof typeof SQL) => prepared(verb, SQL[verb](quoted, share));
  const statementOfRows = <Row extends readonly unknown[]>(verb: keyof typeof ROWS_SQL): PreparedRows<Row> => {
    const { types, sql } = ROWS_SQL[verb];
    const placesOf = (row: number) => types.map((type, at) => `$${2 + row * types.length + at}::${type}`);
    const sizes = ROW_COUNTS.map((count) => {
      const places = Array.from({ length: count }, (_, row) => placesOf(row));
      return { length: 1 + count * types.length, fill: prepared(`${verb} ${count}`, sql(quoted, places)) };
    });
    return (keepMs, rows) => {
      const values: unknown[] = [keepMs];
      for (const row of rows) values.push(...row);
      const fitting = sizes.find(({ length }) => length >= values.length);
      if (fitting === undefined) throw new RangeError(`more than ${MAX_ROWS} rows`);
      while (values.length < fitting.length) values.push(null);
      return fitting.fill(values);
    };
  };
  return {
    claim: statementOfRows("claim"),
    find: statement("find"),
    takeOver: statement("takeOver"),
    settle: statementOfRows("settle"),
    release: statement("release"),
    extend: statement("extend"),
    deleteExpired: statement("deleteExpired"),
    hold: statement("hold"),
    readHold: statement("readHold"),
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
