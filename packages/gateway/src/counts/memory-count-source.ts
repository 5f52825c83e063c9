import { MINUTES_KEPT_MS } from "../incidents/tables.ts";
import type { CallerSum, CallerSums, CallQuestion, CallSum, CountSource, CountSpan } from "./count-source.ts";
import { COUNT_HOURS_KEPT_MS, type CountRow, inAllWidths } from "./count-tables.ts";
import { type CallerCount, type CountBatch, type CountTime, OTHER_NAME, type ToolCount } from "./counts.ts";

/** Rows of each sort and width. The oldest are forgotten first. */
const MAX_COUNT_ROWS = 20_000;
const ROWS_KEPT_MS = { 1: MINUTES_KEPT_MS, 60: COUNT_HOURS_KEPT_MS, 1440: COUNT_HOURS_KEPT_MS } as const;

type CountWidth = keyof typeof ROWS_KEPT_MS;

/** Counts in this process: minutes of two days, hours and days of a month, as far as there is room. */
export class MemoryCounts implements CountSource {
  readonly #max: number;
  #tools = newTables<CountRow<ToolCount & CountTime>>();
  #callers = newTables<CountRow<CallerCount & CountTime>>();

  /** @param max Rows of each sort and width. @default 20_000 */
  constructor(max: number = MAX_COUNT_ROWS) {
    this.#max = max;
  }

  add({ tools, callers }: CountBatch): void {
    for (const row of inAllWidths(tools)) {
      const key = [row.bucketMs, row.upstream, row.tool, row.outcome].join("\n");
      addRow(this.#tools[row.width], key, { ...row, durations: [...row.durations] }, this.#max, (known) => {
        known.n += row.n;
        for (const [index, n] of row.durations.entries()) known.durations[index] = (known.durations[index] ?? 0) + n;
      });
    }
    for (const row of inAllWidths(callers)) {
      const key = [row.bucketMs, row.what, row.tenant, row.caller, row.policy].join("\n");
      addRow(this.#callers[row.width], key, { ...row }, this.#max, (known) => {
        known.n += row.n;
        known.lastMs = Math.max(known.lastMs, row.lastMs);
      });
    }
  }

  /** Deletes what is kept about a caller, by what it may be kept as. */
  erase(forms: readonly string[]): void {
    for (const table of Object.values(this.#callers))
      for (const [key, { caller }] of table) if (forms.includes(caller)) table.delete(key);
  }

  async sumCalls(span: CountSpan, question: CallQuestion): Promise<readonly CallSum[]> {
    const sums = Map.groupBy(this.#calls(span, question), (row) => `${row.outcome} ${row[question.by]}`);
    return [...sums.values()].flatMap((rows) =>
      rows.slice(0, 1).map((first) => ({
        group: first[question.by],
        outcome: first.outcome,
        n: sumRows(rows),
        durations: first.durations.map((_, index) => rows.reduce((sum, row) => sum + (row.durations[index] ?? 0), 0)),
      })),
    );
  }

  async callSteps(span: CountSpan, question: CallQuestion & { readonly groups: readonly string[] }) {
    const rows = this.#calls(span, question).filter((row) => question.groups.includes(row[question.by]));
    return rows.map((row) => ({
      atMs: row.bucketMs,
      group: row[question.by],
      total: row.n,
      operator: row.outcome === "operator" ? row.n : 0,
    }));
  }

  async sumCallers(
    span: CountSpan,
    { what, by, limit, callers }: Parameters<CountSource["sumCallers"]>[1],
  ): Promise<CallerSums> {
    const rows = rowsInSpan(this.#callers[span.width], span).filter(
      (row) => row.what === what && callers?.includes(row.caller) !== false,
    );
    const groups = Map.groupBy(rows, (row) => by.map((name) => row[name]).join("\n"));
    const name = (row: CallerCount, member: "tenant" | "caller" | "policy") => (by.includes(member) ? row[member] : "");
    const sums = [...groups.values()].flatMap((all) =>
      all.slice(0, 1).map((first) => ({
        tenant: name(first, "tenant"),
        caller: name(first, "caller"),
        policy: name(first, "policy"),
        n: sumRows(all),
        lastMs: all.reduce((last, { lastMs }) => Math.max(last, lastMs), 0),
      })),
    );
    const [first] = by;
    const isNamed = (sum: CallerSum) => sum[first] !== "" && (first !== "caller" || sum.caller !== OTHER_NAME);
    return {
      sums: sums.toSorted((one, other) => other.n - one.n).slice(0, limit),
      groups: sums.filter(isNamed).length,
      n: sumRows(sums),
    };
  }

  async sumHits(span: CountSpan, limit: number) {
    const sumBy = (by: "tenant" | "caller") => this.sumCallers(span, { what: "incident", by: [by], limit });
    return { tenant: await sumBy("tenant"), caller: await sumBy("caller") };
  }

  #calls(span: CountSpan, { upstream }: CallQuestion) {
    return rowsInSpan(this.#tools[span.width], span).filter(
      (row) => upstream === undefined || row.upstream === upstream,
    );
  }
}

function newTables<T>(): Record<CountWidth, Map<string, T>> {
  return { 1: new Map(), 60: new Map(), 1440: new Map() };
}

function rowsInSpan<T extends { readonly bucketMs: number }>(
  table: Map<string, T>,
  { sinceMs, untilMs }: CountSpan,
): T[] {
  return [...table.values()].filter(({ bucketMs }) => bucketMs >= sinceMs && bucketMs < untilMs);
}

function sumRows(rows: readonly { readonly n: number }[]): number {
  return rows.reduce((sum, { n }) => sum + n, 0);
}

/** Adds a row. Rows come in the order of time, so the first of a table is the oldest. */
function addRow<T extends { readonly width: CountWidth; readonly bucketMs: number }>(
  table: Map<string, T>,
  key: string,
  row: T,
  max: number,
  addTo: (known: T) => void,
): void {
  const known = table.get(key);
  if (known !== undefined) {
    addTo(known);
    return;
  }
  table.set(key, row);
  for (const [oldest, { width, bucketMs }] of table) {
    if (table.size <= max && bucketMs >= row.bucketMs - ROWS_KEPT_MS[width]) break;
    table.delete(oldest);
  }
}
