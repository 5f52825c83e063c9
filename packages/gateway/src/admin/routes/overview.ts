import { z } from "@hono/zod-openapi";
import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { runLimited, sleep } from "@recourse/core/wire";
import type { GatewayConfig, Rate } from "../../config/types.ts";
import type { IncidentSeries, RefusedCalls } from "../../counts/counts.ts";
import { cutSeries } from "../../counts/incident-totals.ts";
import { type CountWindow, toIso, windowBefore, windowUntil } from "../../counts/windows.ts";
import { AWAY_MS, toFailure } from "../answer.ts";
import { CALL_RATES, HITS, LIMIT_REFUSAL, OVERVIEW, RANGE, SERIES } from "../overview-schemas.ts";
import type { AdminParts } from "../parts.ts";
import { type AdminRoute, defineRoute } from "../route.ts";
import { FINGERPRINT, pageLimit, searchText } from "../schemas.ts";
import { describeApproval } from "./approvals.ts";
import { COUNTED_FILTERS } from "./incidents.ts";
import { listUpstreamStates, readHealth } from "./state.ts";

/** How long one part of the overview may take. */
const PART_MS = 2_000;
const OVERVIEW_ITEMS = { groups: 5, classes: 6, hits: 4, approvals: 5, refusals: 5, changes: 8, upstreams: 5 } as const;
/** The most approvals that are counted. */
const MAX_PENDING = 100;
/** Longer arguments and descriptions are left to the page of the approval. */
const MAX_SHOWN_TEXT = 1_000;
const MAX_RATE_GROUPS = { upstream: 50, tool: 20 } as const;

export const OVERVIEW_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/overview",
    id: "getOverview",
    role: "viewer",
    summary:
      "Get what happens now: health, calls, incidents and their causes, upstreams, approvals, refusals and changes.",
    description:
      "Each part has 2 s. A part that takes longer or fails has a `fault`; the other parts are still there. Arguments and descriptions of approvals over 1,000 characters are left out.",
    query: z.strictObject({ range: RANGE }),
    answer: OVERVIEW,
    tagged: withoutTimes,
    handle: ({ values }, parts) => shareOverview(parts, values.range),
  }),
  defineRoute({
    method: "GET",
    path: "/incident-series",
    id: "getIncidentSeries",
    role: "viewer",
    summary: "Count incidents over time in the largest groups, with a number for each step.",
    query: z.strictObject({
      by: z
        .enum(["fingerprint", "kind", "reason", "upstream", "tool"])
        .default("fingerprint")
        .describe("What the counts are grouped by."),
      top: pageLimit(5, 20),
      range: RANGE,
      ...COUNTED_FILTERS,
    }),
    answer: SERIES,
    async handle({ values: { by, top, range, ...filter } }, parts) {
      const window = windowUntil(range, parts.now());
      const series = await parts.controls.counts?.incidents.series(window, { by, top, filter });
      return { ...frameOf(window), ...(series ?? emptySeries(window)) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/incident-hits",
    id: "getIncidentHits",
    role: "viewer",
    summary: "Rank the tenants or callers that incidents affect.",
    description:
      "With a fingerprint, its newest 1,000 incidents are counted, whatever the range; if there are more, `of` says so.",
    query: z.strictObject({
      by: z.enum(["tenant", "caller"]).default("caller").describe("Who is ranked."),
      range: RANGE,
      fingerprint: FINGERPRINT.optional(),
      limit: pageLimit(10, 100),
    }),
    answer: HITS,
    async handle({ values: { by, range, fingerprint, limit } }, parts) {
      const { counts } = parts.controls;
      const hits =
        fingerprint === undefined
          ? await counts?.reader.hits(windowUntil(range, parts.now()), { by, limit })
          : await counts?.incidents.hits(fingerprint, { by, limit });
      return hits ?? NO_HITS;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/call-rates",
    id: "getCallRates",
    role: "viewer",
    summary: "Count calls over time, and how long they took, by upstream or tool.",
    query: z.strictObject({
      by: z.enum(["upstream", "tool"]).default("upstream").describe("What the counts are grouped by."),
      range: RANGE,
      upstream: searchText("Only calls to this upstream.").optional(),
    }),
    answer: CALL_RATES,
    async handle({ values: { by, range, upstream } }, parts) {
      const window = windowUntil(range, parts.now());
      const rates = await parts.controls.counts?.reader.rates(window, { by, upstream, top: MAX_RATE_GROUPS[by] });
      const { groups = [], other = { groups: 0, calls: 0, faults: 0 } } = rates ?? {};
      return { ...frameOf(window), groups, other };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/limit-refusals",
    id: "listLimitRefusals",
    role: "viewer",
    summary: "Rank the calls that limits have refused, by caller and limit, or by limit alone.",
    query: z.strictObject({
      by: z.enum(["caller", "policy"]).default("caller").describe("What is ranked."),
      range: RANGE,
      limit: pageLimit(20, 100),
    }),
    answer: z.strictObject({ items: z.array(LIMIT_REFUSAL) }),
    async handle({ values: { by, range, limit } }, parts) {
      const rows = await parts.controls.counts?.reader.refusals(windowUntil(range, parts.now()), { by, limit });
      return { items: (rows ?? []).map((row) => withRate(row, parts.config())) };
    },
  }),
];

const NO_HITS = { items: [], count: 0, other: 0 } as const;

type OverviewRange = z.output<typeof RANGE>;

/** Overviews that are being made. Requests for the same one share it, so that readers add no load. */
const underWay = new WeakMap<AdminParts, Map<OverviewRange, Promise<object>>>();

function shareOverview(parts: AdminParts, range: OverviewRange): Promise<object> {
  const making = underWay.get(parts) ?? new Map<OverviewRange, Promise<object>>();
  underWay.set(parts, making);
  const known = making.get(range);
  if (known !== undefined) return known;
  const made = makeOverview(parts, windowUntil(range, parts.now())).finally(() => making.delete(range));
  making.set(range, made);
  return made;
}

async function makeOverview(parts: AdminParts, window: CountWindow): Promise<object> {
  // The chart and the causes show the same counts, which are read once.
  const question = { by: "fingerprint", top: OVERVIEW_ITEMS.classes, filter: {} } as const;
  const series = parts.controls.counts?.incidents.series(window, question) ?? Promise.resolve(emptySeries(window));
  const entries = Object.entries(OVERVIEW_PARTS).map(
    async ([name, read]) => [name, await readOverviewPart(parts, () => read(parts, window, series))] as const,
  );
  const { since, step } = frameOf(window);
  return { asOf: toIso(parts.now()), since, step, ...Object.fromEntries(await Promise.all(entries)) };
}

/** The value of a part, or a fault if it fails or takes too long. */
async function readOverviewPart(parts: AdminParts, read: () => unknown): Promise<object> {
  const fail = (fault: Fault) => ({ asOf: toIso(parts.now()), fault });
  try {
    const value = await runLimited({ ms: PART_MS, sleep, run: async () => read() });
    if (typeof value === "symbol") return fail(core.unavailable.fault({}, { effect: "none", afterMs: AWAY_MS }));
    return { asOf: toIso(parts.now()), value };
  } catch (error) {
    return fail(toFailure(error, parts).fault);
  }
}

const OVERVIEW_PARTS = {
  health: (parts) => readHealth(parts),
  calls: readCalls,
  async series(_, window, series) {
    return { ...frameOf(window), ...cutSeries(await series, OVERVIEW_ITEMS.groups) };
  },
  classes: readClasses,
  async hits({ controls: { counts } }, window) {
    const { tenants = NO_HITS, callers = NO_HITS } = (await counts?.reader.bothHits(window, OVERVIEW_ITEMS.hits)) ?? {};
    return { tenants: tenants.items, callers: callers.items, tenantCount: tenants.count, callerCount: callers.count };
  },
  async upstreams(parts) {
    // Without the counts the rest is worth showing.
    const recent = await parts.controls.counts?.reader.recent(parts.now()).catch(() => undefined);
    return listUpstreamStates(parts).map((state) => ({ ...state, ...recent?.get(state.upstream) }));
  },
  async approvals(parts) {
    const pending = (await parts.controls.approvals?.list({ state: "pending", limit: MAX_PENDING })) ?? [];
    const first = pending.toSorted((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1));
    const items = first.slice(0, OVERVIEW_ITEMS.approvals).map((approval) => {
      const { description, ...rest } = describeApproval(approval, parts);
      const isShort = (text: string) => text.length <= MAX_SHOWN_TEXT;
      return {
        ...rest,
        arguments: isShort(rest.arguments) ? rest.arguments : "",
        ...(description !== undefined && isShort(description) && { description }),
      };
    });
    return { pending: pending.length, items };
  },
  async refusals({ controls: { counts }, config }, window) {
    const rows = await counts?.reader.refusals(window, { by: "caller", limit: OVERVIEW_ITEMS.refusals, isBrief: true });
    return (rows ?? []).map((row) => withRate(row, config()));
  },
  changes: async ({ changes }) => (await changes?.list({ limit: OVERVIEW_ITEMS.changes }))?.items ?? [],
} as const satisfies Record<
  Exclude<keyof typeof OVERVIEW.shape, "asOf" | "since" | "step">,
  (parts: AdminParts, window: CountWindow, series: Promise<IncidentSeries>) => unknown
>;

async function readCalls({ controls: { counts } }: AdminParts, window: CountWindow) {
  const [rates, before, callers] = await Promise.all([
    counts?.reader.rates(window, { by: "upstream", top: OVERVIEW_ITEMS.upstreams, order: "faults" }),
    counts?.reader.totals(windowBefore(window)),
    counts?.reader.callers(window),
  ]);
  const byOutcome = rates?.totals ?? { ok: 0, caller: 0, refused: 0, operator: 0 };
  const sum = (totals: object) => Object.values(totals).reduce((all: number, n: number) => all + n, 0);
  return {
    total: sum(byOutcome),
    byOutcome,
    callers: callers ?? 0,
    before: { total: sum(before ?? {}), operator: before?.operator ?? 0 },
    upstreams: (rates?.groups ?? []).map(({ group, total, operator }) => ({ upstream: group, total, operator })),
  };
}

async function readClasses(
  { controls: { counts } }: AdminParts,
  window: CountWindow,
  counted: Promise<IncidentSeries>,
) {
  const { groups, other } = await counted;
  const fingerprints = groups.map(({ group }) => group);
  const [causes, hit] = await Promise.all([
    counts?.incidents.causes(fingerprints),
    counts?.incidents.callersHit(window, fingerprints),
  ]);
  return {
    items: groups.flatMap(({ group, total }) => {
      const cause = causes?.named.get(group);
      return cause === undefined ? [] : [{ ...cause, count: total, callers: hit?.get(group) }];
    }),
    incidents: groups.reduce((sum, { total }) => sum + total, other.total),
    classes: groups.length + other.groups,
    last: causes?.last,
  };
}

/** What every series begins with. */
function frameOf({ sinceMs, step, length }: CountWindow) {
  return { since: toIso(sinceMs), step, length };
}

function emptySeries({ length }: CountWindow): IncidentSeries {
  return { groups: [], other: { groups: 0, total: 0, counts: new Array<number>(length).fill(0) } };
}

/** A refusal with the rate of its limit, if the file still has that limit. */
function withRate(row: RefusedCalls, { limits }: Pick<GatewayConfig, "limits">) {
  const named: Readonly<Record<string, Rate | undefined>> = {
    address: limits.address,
    key: limits.key,
    tenant: limits.tenant,
    cost: limits.cost,
  };
  const rate = limits.tools.find(({ pattern }) => pattern === row.policy)?.rate ?? named[row.policy];
  return { ...row, ...(rate !== undefined && { rate: { perSecond: rate.perSecond, burst: rate.burst } }) };
}

/** An overview is the same as long as nothing changes but when its parts were made, and lists read. */
function withoutTimes(answer: object): object {
  const isTime = (key: string) => key === "asOf" || key === "listedAt";
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (isTime(key) ? undefined : value))) as object;
}
