import { z } from "@hono/zod-openapi";
import { core } from "@recourse/core/reasons";
import { race, sleep } from "@recourse/core/wire";
import { type BreakerView, scopeId } from "../../breaker/breakers.ts";
import { readPartStates } from "../../changes/replicas.ts";
import type { GatewayConfig, Rate, UpstreamConfig } from "../../config/types.ts";
import type { Activity } from "../../telemetry/activity.ts";
import { AWAY_MS } from "../answer.ts";
import { cleanWhy, listDownParts, upstreamHost } from "../down-parts.ts";
import { HEALTH } from "../overview-schemas.ts";
import type { AdminParts } from "../parts.ts";
import { type AdminRoute, defineRoute, makeChange, pageOfAll, pageOfRows, Refusal } from "../route.ts";
import { AUDIT_ENTRY, BREAKER_VIEW, LIMIT_RATE, pageLimit, pageOf, searchText, UPSTREAM_STATE } from "../schemas.ts";

const NAMED_PAGE = z.strictObject({
  limit: pageLimit(100, 200),
  before: searchText("The `next` of the previous page: a name.").optional(),
});
/** How long the database may take before it counts as away. */
const PROBE_MS = 1_000;
/** So many tools of an upstream that are held back are shown with it. */
const MAX_HELD_TOOLS = 20;

export const STATE_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/upstreams",
    id: "listUpstreams",
    role: "viewer",
    summary: "List the upstreams and what is known about them, in the order of the file.",
    query: NAMED_PAGE,
    answer: pageOf(UPSTREAM_STATE),
    tagged: (answer) => answer,
    async handle({ values }, parts) {
      const recent = await readRecent(parts);
      const all = listUpstreamStates(parts).map((state) => ({ ...state, ...recent?.get(state.upstream) }));
      return pageOfAll(all, values, ({ upstream }) => upstream);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/breakers",
    id: "listBreakers",
    role: "viewer",
    summary: "List the circuit breakers: one for each upstream, and one for each tool whose breaker is not closed.",
    query: NAMED_PAGE,
    answer: pageOf(BREAKER_VIEW),
    handle: ({ values }, parts) => pageOfAll(listBreakerViews(parts), values, scopeId),
  }),
  defineRoute({
    method: "POST",
    path: "/breakers/{upstream}/reset",
    id: "resetBreaker",
    role: "admin",
    summary: "Close the breakers of an upstream and its tools, or that of one tool, in all processes.",
    description:
      "Calls pass again at once. If the upstream still fails, the breaker opens again. While Redis is down, the request is refused with 503.",
    params: z.strictObject({ upstream: searchText("The name of the upstream.") }),
    query: z.strictObject({
      tool: searchText("Only the breaker of this tool, by the name that `/breakers` lists it with.").optional(),
    }),
    answer: z.strictObject({ upstream: z.string(), tool: z.string().optional(), reset: z.literal(true) }),
    async handle(request, parts) {
      const { breakers } = parts.controls;
      const { upstream, tool } = request.values;
      const isKnown = parts.config().upstreams.some(({ name }) => name === upstream);
      if (breakers === undefined || !isKnown)
        return new Refusal(core.not_found.fault({ what: "breaker" }, { effect: "none" }));
      // The other processes would not learn about it, and their breakers would stay open.
      if (parts.activity.away.some(({ control }) => control === "breakers")) return REDIS_DOWN;
      const named = tool === undefined ? {} : { tool };
      const make = async () => {
        await breakers.reset({ upstream, ...named });
        return { upstream, ...named, reset: true };
      };
      return makeChange(request, parts, { action: "breaker.reset", target: upstream, facts: named, make });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/limits",
    id: "getLimits",
    role: "viewer",
    summary: "Get the limits of the configuration, and whether their store is down.",
    answer: z.strictObject({
      mode: z.enum(["leased", "exact"]).describe("How calls are counted."),
      isAway: z.boolean().describe("The store of the limits cannot be used at the moment."),
      away: z.enum(["closed", "open", "local"]).describe("What happens to calls while the store is down."),
      address: LIMIT_RATE.optional(),
      key: LIMIT_RATE.optional(),
      tenant: LIMIT_RATE.optional(),
      cost: LIMIT_RATE.optional(),
      tools: z.array(z.strictObject({ pattern: z.string(), rate: LIMIT_RATE })),
    }),
    tagged: (answer) => answer,
    handle(_, { config, areLimitsAway }) {
      const { limits, away } = config();
      return { ...limitsView(limits), isAway: areLimitsAway(), away: away.limits };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/audit",
    id: "listAudit",
    role: "viewer",
    summary: "List what operators decided and changed, the newest first.",
    query: z.strictObject({
      limit: pageLimit(50, 200),
      before: z
        .string()
        .max(18)
        .regex(/^[0-9]{1,18}$/)
        .describe("The `next` of the previous page: an id.")
        .optional(),
    }),
    answer: pageOf(AUDIT_ENTRY),
    async handle({ values }, { controls }) {
      const rows = await controls.audit?.list({ limit: values.limit + 1, before: values.before });
      return pageOfRows(rows ?? [], values.limit, (row) => row.id);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/health",
    id: "getHealth",
    role: "viewer",
    summary: "Get the state of the gateway's parts.",
    answer: HEALTH,
    handle: (_, parts) => readHealth(parts),
  }),
];

const REDIS_DOWN = new Refusal(core.unavailable.fault({}, { effect: "none", afterMs: AWAY_MS }), {
  sentence: "Redis is down, so other processes could not be told. Reset the breaker when it is up again.",
});

/** The last calls of the upstreams; undefined if they are not known in time, which must not delay the rest. */
async function readRecent({ controls, now }: AdminParts) {
  const work = controls.counts?.reader.recent(now());
  if (work === undefined) return undefined;
  const read = await race(work, { ms: PROBE_MS, sleep }).catch(() => undefined);
  return typeof read === "symbol" ? undefined : read;
}

/** The breakers of all upstreams, and of the tools that are held back. */
function listBreakerViews({ controls, activity }: AdminParts) {
  return (controls.breakers?.views ?? []).map((view) => ({
    ...view,
    changedAt: activity.breakerSince(view),
    lastIncident: activity.lastIncident(view),
  }));
}

/** The upstreams and what is known about them, in the order of the file. */
export function listUpstreamStates({ config, upstreams, controls, activity }: AdminParts) {
  const all = controls.breakers?.views ?? [];
  const views = new Map(all.flatMap((view) => (view.tool === undefined ? [[view.upstream, view]] : [])));
  const held = Map.groupBy(all, ({ upstream }) => upstream);
  const known = new Map(config().upstreams.map((one) => [one.name, one]));
  return upstreams().flatMap(({ listedMs, why, era, ...state }) => {
    const { upstream } = state;
    const configured = known.get(upstream);
    if (configured === undefined) return [];
    const breaker = views.get(upstream);
    return [
      {
        ...state,
        kind: configured.kind,
        host: upstreamHost(configured),
        era,
        listedAt: listedMs === undefined ? undefined : new Date(listedMs).toISOString(),
        why: cleanWhy(why),
        breaker: breaker?.state,
        breakerSince: activity.breakerSince({ upstream }),
        afterMs: breaker?.afterMs,
        heldTools: listHeldTools(held.get(upstream) ?? [], configured),
        ...activity.upstream(upstream),
        downSince: downSince(activity, upstream),
      },
    ];
  });
}

/** The tools of an upstream whose own breakers are not closed; undefined if there are none. */
function listHeldTools(views: readonly BreakerView[], { prefix }: Pick<UpstreamConfig, "prefix">) {
  const held = views.flatMap(({ tool, state, afterMs }) =>
    tool === undefined || state === "closed" ? [] : [{ tool, name: prefix + tool, state, afterMs }],
  );
  return held.length === 0 ? undefined : held.slice(0, MAX_HELD_TOOLS);
}

/** Since when an upstream cannot be reached, listed or authorized. */
function downSince(activity: Activity, upstream: string): string | undefined {
  const parts: readonly string[] = [`upstream ${upstream}`, `lists of ${upstream}`, `credential of ${upstream}`];
  return activity.away
    .flatMap(({ control, since }) => (parts.includes(control) ? [since] : []))
    .toSorted()
    .at(0);
}

function limitsView({ mode, address, key, tenant, cost, tools }: GatewayConfig["limits"]) {
  const rateView = (rate: Rate | undefined) => rate && { perSecond: rate.perSecond, burst: rate.burst };
  return {
    mode,
    address: rateView(address),
    key: rateView(key),
    tenant: rateView(tenant),
    cost: rateView(cost),
    tools: tools.map(({ pattern, rate }) => ({ pattern, rate: rateView(rate) })),
  };
}

export async function readHealth(parts: AdminParts) {
  const { config, controls, areLimitsAway, upstreams, version, activity } = parts;
  const { name, store } = config();
  const database = store.mode === "memory" ? "off" : await probeDatabase(parts);
  activity.looked("database", { isAway: database === "away" });
  activity.looked("limits", { isAway: areLimitsAway() });
  const incidents = controls.incidents?.state;
  const states = readPartStates({ controls, areLimitsAway, activity, database });
  const lists = upstreams();
  const isDegraded = Object.values(states).includes("away") || lists.some(({ listed }) => listed !== "current");
  return {
    status: isDegraded ? "degraded" : "ok",
    name,
    version,
    startedAt: activity.startedAt,
    ...activity.total,
    store: store.mode,
    parts: states,
    why: listDownParts(config(), activity, lists),
    incidents: { waiting: incidents?.waiting ?? 0, dropped: incidents?.dropped ?? 0 },
  };
}

/** The audit is in the same database as all the rest. */
async function probeDatabase({ controls }: AdminParts): Promise<"works" | "away" | "off"> {
  if (controls.audit === undefined) return "off";
  const late = AbortSignal.timeout(PROBE_MS);
  const isLate = new Promise<"away">((resolve) => {
    late.addEventListener("abort", () => resolve("away"), { once: true });
  });
  const answered = controls.audit.list({ limit: 1 }).then(
    () => "works" as const,
    () => "away" as const,
  );
  return Promise.race([answered, isLate]);
}
