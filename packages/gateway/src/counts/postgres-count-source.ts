import { Conditions, countRanges } from "../incidents/filters.ts";
import type { Pool, QueryResultRow } from "../stores/postgres.ts";
import type { CallerSums, CallSum, CountSource, CountSpan } from "./count-source.ts";
import { DURATION_BOUNDS, OTHER_NAME } from "./counts.ts";
import { toIso } from "./windows.ts";

const SUMMED_DURATIONS = DURATION_BOUNDS.map((_, index) => `sum(ms_hist[${index + 1}])::float8`).join(", ");

/** Sums of the tables that `createCountTables` has made. */
export function postgresCountSource(pool: Pool): CountSource {
  const query = async <T extends QueryResultRow>(text: string, where: Conditions): Promise<readonly T[]> =>
    (await pool.query<T>(text, where.values)).rows;
  return {
    sumCalls(span, { by, upstream }) {
      const where = new Conditions();
      where.add(spanCondition(span, where));
      if (upstream !== undefined) where.add(`upstream = ${where.value(upstream)}`);
      const text = `select ${by} as "group", outcome, sum(n)::float8 as n, array[${SUMMED_DURATIONS}] as durations
        from ${CALL_TABLES[by]} where ${where.sql} group by 1, 2`;
      return query<CallSum>(text, where);
    },
    async callSteps(span, { by, upstream, groups }) {
      const where = new Conditions();
      where.add(`width = ${span.width}`);
      where.add(`bucket >= ${where.value(toIso(span.sinceMs))}::timestamptz`);
      where.add(`bucket < ${where.value(toIso(span.untilMs))}::timestamptz`);
      where.add(`${by} = any(${where.value(groups)}::text[])`);
      if (upstream !== undefined) where.add(`upstream = ${where.value(upstream)}`);
      const text = `select bucket, ${by} as "group", sum(n)::float8 as total,
          coalesce(sum(n) filter (where outcome = 'operator'), 0)::float8 as operator
        from ${CALL_TABLES[by]} where ${where.sql} group by 1, 2`;
      const rows = await query<StepRow>(text, where);
      return rows.map(({ bucket, ...row }) => ({ ...row, atMs: bucket.getTime() }));
    },
    async sumCallers(span, { what, by, limit, callers }) {
      const where = new Conditions();
      where.add(`what = ${where.value(what)}`);
      where.add(spanCondition(span, where));
      if (callers !== undefined) where.add(`caller = any(${where.value(callers)}::text[])`);
      const columns = CALLER_COLUMNS.map((name) => (by.includes(name) ? name : `''::text as ${name}`));
      const group = by.join(", ");
      const [first] = by;
      const unnamed = where.value(first === "caller" ? OTHER_NAME : "");
      const text = `select ${columns.join(", ")}, sum(n)::float8 as n, max(last) as last,
          (count(*) filter (where ${first} not in ('', ${unnamed})) over ())::float8 as groups,
          (sum(sum(n)) over ())::float8 as total
        from caller_count where ${where.sql} group by ${group} order by 4 desc, ${group} limit ${where.value(limit)}`;
      return readCallerSums(await query<CallerSumRow>(text, where));
    },
    async sumHits(span, limit) {
      const where = new Conditions();
      where.add("what = 'incident'");
      where.add(spanCondition(span, where));
      const text = `with pairs as materialized (
          select tenant, caller, sum(n) as n, max(last) as last from caller_count where ${where.sql} group by tenant, caller),
        sums as (select tenant, caller, sum(n)::float8 as n, max(last) as last from pairs
          group by grouping sets ((tenant), (caller))),
        ranked as (select coalesce(tenant, '') as tenant, coalesce(caller, '') as caller, '' as policy, n, last,
            (count(*) filter (where tenant <> '' or caller not in ('', ${where.value(OTHER_NAME)})) over sort)::float8 as groups,
            sum(n) over sort as total, caller is null as is_tenant,
            row_number() over (partition by caller is null order by n desc, tenant, caller) as place
          from sums window sort as (partition by caller is null))
        select * from ranked where place <= ${where.value(limit)} order by place`;
      const rows = await query<CallerSumRow & { readonly is_tenant: boolean }>(text, where);
      return {
        tenant: readCallerSums(rows.filter((row) => row.is_tenant)),
        caller: readCallerSums(rows.filter((row) => !row.is_tenant)),
      };
    },
  };
}

function readCallerSums(rows: readonly CallerSumRow[]): CallerSums {
  const sums = rows.map(({ tenant, caller, policy, n, last }) => ({
    tenant,
    caller,
    policy,
    n,
    lastMs: last.getTime(),
  }));
  return { sums, groups: rows[0]?.groups ?? 0, n: rows[0]?.total ?? 0 };
}

const CALLER_COLUMNS = ["tenant", "caller", "policy"] as const;

const CALL_TABLES = { upstream: "upstream_call_count", tool: "call_count" } as const;

interface StepRow {
  readonly bucket: Date;
  readonly group: string;
  readonly total: number;
  readonly operator: number;
}

interface CallerSumRow {
  readonly tenant: string;
  readonly caller: string;
  readonly policy: string;
  readonly n: number;
  readonly last: Date;
  readonly groups: number;
  readonly total: number;
}

/** The rows that cover a span, by as few of them as possible: whole days and hours if they lie within it. */
function spanCondition({ sinceMs, untilMs }: Pick<CountSpan, "sinceMs" | "untilMs">, to: Conditions): string {
  const ranges = countRanges({ since: toIso(sinceMs), until: toIso(untilMs) }, untilMs);
  const parts = ranges.map(({ width, fromMs, untilMs: end }) => {
    const [from, until] = [to.value(toIso(fromMs)), to.value(toIso(end))];
    return `(width = ${width} and bucket >= ${from}::timestamptz and bucket < ${until}::timestamptz)`;
  });
  return parts.length === 0 ? "false" : `(${parts.join(" or ")})`;
}
