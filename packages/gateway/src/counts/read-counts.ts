import { MINUTE_MS } from "../incidents/incidents.ts";
import type { CallerSums, CallSum, CountSource } from "./count-source.ts";
import {
  type CALL_OUTCOMES,
  type CallRate,
  type CountedOutcome,
  type CountReader,
  DURATION_BOUNDS,
  type IncidentHits,
  OTHER_NAME,
  type RefusedCalls,
} from "./counts.ts";
import { stepOf, toIso } from "./windows.ts";

/** Unnamed groups stand among the others, so a few more are asked for. */
const UNNAMED = 2;
const RECENT_MS = 5 * MINUTE_MS;
const HOUR_MINUTES = 60;
/** What an upstream had a part in. A refusal takes no time. */
const ASKED = ["ok", "caller", "operator"] as const satisfies readonly CountedOutcome[];

/** Makes answers of sums. */
export function createCountReader(source: CountSource): CountReader {
  return {
    async totals(window) {
      const sums = await source.sumCalls(window, { by: "upstream" });
      return totalsOf(sums);
    },
    async rates(window, { by, upstream, top, order = "calls" }) {
      const sums = await source.sumCalls(window, { by, upstream });
      const groups = [...Map.groupBy(sums, ({ group }) => group)].map(([group, all]) => ({ group, all }));
      const isNamed = ({ group }: { readonly group: string }) =>
        group !== "" && (by === "upstream" || group !== OTHER_NAME);
      const sizeOf = (all: readonly CallSum[]) => (order === "calls" ? sumCallsIn(all) : totalsOf(all).operator);
      const sorted = groups.filter(isNamed).toSorted((one, other) => sizeOf(other.all) - sizeOf(one.all));
      const listed = sorted.slice(0, top);
      const steps = await source.callSteps(window, { by, upstream, groups: listed.map(({ group }) => group) });
      const rates = new Map(listed.map(({ group, all }) => [group, emptyRate(group, all, window.length)]));
      for (const { atMs, group, total, operator } of steps) {
        const index = stepOf(window, atMs);
        const rate = rates.get(group);
        if (rate === undefined || index === undefined) continue;
        rate.total[index] = (rate.total[index] ?? 0) + total;
        rate.operator[index] = (rate.operator[index] ?? 0) + operator;
      }
      const rest = groups.filter(({ group }) => !rates.has(group)).flatMap(({ all }) => all);
      return {
        totals: totalsOf(sums),
        groups: [...rates.values()],
        other: { groups: groups.length - listed.length, calls: sumCallsIn(rest), faults: totalsOf(rest).operator },
      };
    },
    async callers(window) {
      return (await source.sumCallers(window, { what: "call", by: ["caller"], limit: 1 })).groups;
    },
    async hits(window, { by, limit }) {
      const question = { what: "incident", by: [by], limit: limit + UNNAMED } as const;
      return toIncidentHits(await source.sumCallers(window, question), by, limit);
    },
    async bothHits(window, limit) {
      const { tenant, caller } = await source.sumHits(window, limit + UNNAMED);
      return {
        tenants: toIncidentHits(tenant, "tenant", limit),
        callers: toIncidentHits(caller, "caller", limit),
      };
    },
    async refusals(window, { by, limit, isBrief = false }) {
      const group = by === "caller" ? (["tenant", "caller", "policy"] as const) : (["policy"] as const);
      const { sums: rows } = await source.sumCallers(window, { what: "refusal", by: group, limit });
      const callers = by === "policy" || isBrief ? [] : [...new Set(rows.map(({ caller }) => caller))].filter(isPerson);
      const question = { by: ["tenant", "caller"] as const, limit: 2 * limit, callers };
      const [calls, incidents] =
        callers.length === 0
          ? [[], []]
          : await Promise.all([
              source.sumCallers(window, { what: "call", ...question }).then(({ sums }) => sums),
              source.sumCallers(window, { what: "incident", ...question }).then(({ sums }) => sums),
            ]);
      return rows.map(({ tenant, caller, policy, n, lastMs }): RefusedCalls => {
        const find = (sums: typeof calls) => sums.find((one) => one.caller === caller && one.tenant === tenant)?.n ?? 0;
        const isKnown = callers.includes(caller);
        return {
          tenant: tenant === "" ? undefined : tenant,
          caller: caller === "" ? undefined : caller,
          policy,
          refused: n,
          last: minuteOf(lastMs),
          calls: isKnown ? find(calls) : undefined,
          incidents: isKnown ? find(incidents) : undefined,
        };
      });
    },
    async recent(nowMs) {
      const untilMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
      const since = (ms: number) => ({ width: 1, sinceMs: untilMs - ms, untilMs }) as const;
      const [hour, minutes] = await Promise.all([
        source.sumCalls(since(HOUR_MINUTES * MINUTE_MS), { by: "upstream" }),
        source.sumCalls(since(RECENT_MS), { by: "upstream" }),
      ]);
      const recent = Map.groupBy(minutes, ({ group }) => group);
      return new Map(
        [...Map.groupBy(hour, ({ group }) => group)].map(([group, all]) => {
          const last = totalsOf(recent.get(group) ?? []);
          const calls = ASKED.reduce((sum, outcome) => sum + last[outcome], 0);
          return [group, { recent: { calls, faults: last.operator }, p95Ms: quantileOf(askedDurations(all), 0.95) }];
        }),
      );
    },
  };
}

function toIncidentHits({ sums, groups, n }: CallerSums, by: "tenant" | "caller", limit: number): IncidentHits {
  const items = sums
    .map((row) => ({ group: row[by], count: row.n, last: minuteOf(row.lastMs) }))
    .filter(({ group }) => group !== "" && (by === "tenant" || group !== OTHER_NAME))
    .slice(0, limit);
  return { items, count: groups, other: n - items.reduce((sum, { count }) => sum + count, 0) };
}

function isPerson(caller: string): boolean {
  return caller !== "" && caller !== OTHER_NAME;
}

function minuteOf(ms: number): string {
  return toIso(Math.floor(ms / MINUTE_MS) * MINUTE_MS);
}

function sumCallsIn(sums: readonly CallSum[]): number {
  return sums.reduce((all, { n }) => all + n, 0);
}

function totalsOf(sums: readonly CallSum[]): Record<CountedOutcome, number> {
  const totals = { ok: 0, caller: 0, refused: 0, operator: 0 } satisfies Record<(typeof CALL_OUTCOMES)[number], number>;
  for (const { outcome, n } of sums) totals[outcome] += n;
  return totals;
}

type OpenRate = CallRate & { readonly total: number[]; readonly operator: number[] };

function emptyRate(group: string, all: readonly CallSum[], length: number): OpenRate {
  const durations = askedDurations(all);
  return {
    group,
    calls: sumCallsIn(all),
    faults: totalsOf(all).operator,
    total: new Array<number>(length).fill(0),
    operator: new Array<number>(length).fill(0),
    p50Ms: quantileOf(durations, 0.5),
    p95Ms: quantileOf(durations, 0.95),
  };
}

function askedDurations(sums: readonly CallSum[]): readonly number[] {
  const asked = sums.filter(({ outcome }) => (ASKED as readonly string[]).includes(outcome));
  return DURATION_BOUNDS.map((_, index) => asked.reduce((sum, { durations }) => sum + (durations[index] ?? 0), 0));
}

/** The duration in ms that a part of the calls did not take longer than, by the bounds of the buckets. */
function quantileOf(durations: readonly number[], part: number): number | undefined {
  const total = durations.reduce((sum, n) => sum + n, 0);
  if (total === 0) return undefined;
  let left = part * total;
  for (const [index, n] of durations.entries()) {
    const [low, high] = [DURATION_BOUNDS[index - 1] ?? 0, DURATION_BOUNDS[index] ?? 0];
    if (left <= n) return Math.round((low + (high - low) * (left / n)) * 10_000) / 10;
    left -= n;
  }
  return undefined;
}
