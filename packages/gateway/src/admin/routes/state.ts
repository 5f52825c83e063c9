import { z } from "@hono/zod-openapi";
import { core } from "@recourse/faults";
import { scopeId } from "../../breaker/breakers.ts";
import type { GatewayConfig, Rate } from "../../config/types.ts";
import type { Activity } from "../../telemetry/activity.ts";
import type { AdminParts } from "../parts.ts";
import { type AdminRoute, defineRoute, makeChange, pageOfAll, pageOfRows, Refusal } from "../route.ts";
import {
  AUDIT_ENTRY,
  BREAKER_VIEW,
  DOWN_PART,
  LIMIT_RATE,
  pageLimit,
  pageOf,
  REQUEST_RATE,
  searchText,
  total,
  UPSTREAM_STATE,
} from "../schemas.ts";

const WORKS = z
  .enum(["works", "away", "off"])
  .describe("`away`: it cannot be used at the moment. `off`: the file has none.");
const NAMED_PAGE = z.strictObject({
  limit: pageLimit(100, 200),
  before: searchText("The `next` of the page before: a name.").optional(),
});
/** How long the database may take before it counts as away. */
const PROBE_MS = 1_000;
const MAX_DOWN = 100;

/** Routes that show and change the state of the gateway. */
export const STATE_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/upstreams",
    id: "listUpstreams",
    role: "viewer",
    summary: "List the upstreams and what is known about them, in the order of the file.",
    query: NAMED_PAGE,
    answer: pageOf(UPSTREAM_STATE),
    handle({ values }, { upstreams, controls, activity }) {
      const states = new Map(
        controls.breakers?.views.flatMap(({ upstream, tool, state }) =>
          tool === undefined ? [[upstream, state]] : [],
        ),
      );
      const all = upstreams().map((state) => ({
        ...state,
        breaker: states.get(state.upstream),
        breakerSince: activity.breakerSince({ upstream: state.upstream }),
        ...activity.upstream(state.upstream),
        downSince: downSince(activity, state.upstream),
      }));
      return pageOfAll(all, values, ({ upstream }) => upstream);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/breakers",
    id: "listBreakers",
    role: "viewer",
    summary: "List the circuit breakers: one for each upstream, and one for each tool that is held back.",
    query: NAMED_PAGE,
    answer: pageOf(BREAKER_VIEW),
    handle({ values }, { controls, activity }) {
      const views = controls.breakers?.views ?? [];
      const all = views.map((view) => ({ ...view, since: activity.breakerSince(view) }));
      return pageOfAll(all, values, scopeId);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/breakers/{upstream}/reset",
    id: "resetBreaker",
    role: "admin",
    summary: "Close the breakers of an upstream and its tools, in all processes.",
    description: "Calls pass again at once. Where the upstream still fails, the breaker opens again.",
    params: z.strictObject({ upstream: searchText("The name of the upstream.") }),
    answer: z.strictObject({ upstream: z.string(), reset: z.literal(true) }),
    async handle(request, parts) {
      const { breakers } = parts.controls;
      const { upstream } = request.values;
      const isKnown = parts.config().upstreams.some(({ name }) => name === upstream);
      if (breakers === undefined || !isKnown)
        return new Refusal(core.not_found.fault({ what: "breaker" }, { effect: "none" }));
      const make = async () => {
        await breakers.reset(upstream);
        return { upstream, reset: true };
      };
      return makeChange(request, parts, { action: "breaker.reset", target: upstream, make });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/limits",
    id: "getLimits",
    role: "viewer",
    summary: "Get the limits of the configuration, and whether their store is away.",
    answer: z.strictObject({
      mode: z.enum(["leased", "exact"]).describe("How calls are counted."),
      isAway: z.boolean().describe("The store of the limits cannot be used at the moment."),
      away: z.enum(["closed", "open", "local"]).describe("What calls get while it is away."),
      address: LIMIT_RATE.optional(),
      key: LIMIT_RATE.optional(),
      tenant: LIMIT_RATE.optional(),
      cost: LIMIT_RATE.optional(),
      tools: z.array(z.strictObject({ pattern: z.string(), rate: LIMIT_RATE })),
    }),
    handle(_, { config, areLimitsAway }) {
      const { limits, away } = config();
      return { ...limitsView(limits), isAway: areLimitsAway(), away: away.limits };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/request-rates",
    id: "getRequestRates",
    role: "viewer",
    summary: "Count the requests of this process, and those that failed, for each minute of the last hour.",
    description: "The oldest first. Minutes without requests are left out. Each replica counts its own.",
    answer: z.strictObject({ items: z.array(REQUEST_RATE).max(60) }),
    handle: (_, { activity }) => ({ items: activity.minutes }),
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
        .describe("The `next` of the page before: an id.")
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
    answer: z.strictObject({
      status: z.enum(["ok", "degraded"]).describe("`degraded`: a part is away, or an upstream has no current list."),
      name: z.string(),
      version: z.string(),
      startedAt: z.iso.datetime().describe("When this process started."),
      requests: total("Requests that this process has answered since then."),
      failures: total("How many of them were answered with a fault."),
      store: z.enum(["memory", "shared"]).describe("Where the gateway keeps what outlives a call."),
      parts: z.strictObject({
        database: WORKS,
        limits: WORKS,
        approvals: WORKS,
        breakers: WORKS,
        incidents: WORKS,
      }),
      down: z.array(DOWN_PART).describe("What does not work for this process, and since when: the first hundred."),
      incidents: z.strictObject({
        waiting: total("How many wait to be written."),
        dropped: total("How many could not be kept since the start."),
      }),
    }),
    handle: (_, parts) => readHealth(parts),
  }),
];

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

async function readHealth(parts: AdminParts) {
  const { config, controls, areLimitsAway, upstreams, version, activity } = parts;
  const { name, store } = config();
  const database = store.mode === "memory" ? "off" : await probeDatabase(parts);
  const onDatabase = (part: unknown) => (part === undefined ? "off" : database === "away" ? "away" : "works");
  const incidents = controls.incidents?.state;
  const states = {
    database,
    limits: areLimitsAway() ? "away" : "works",
    approvals: onDatabase(controls.approvals),
    breakers: controls.breakers === undefined ? "off" : "works",
    incidents: incidents?.isAway === true ? "away" : onDatabase(incidents),
  };
  const isDegraded = Object.values(states).includes("away") || upstreams().some(({ listed }) => listed !== "current");
  return {
    status: isDegraded ? "degraded" : "ok",
    name,
    version,
    startedAt: activity.startedAt,
    ...activity.total,
    store: store.mode,
    parts: states,
    down: activity.away.slice(0, MAX_DOWN).map(({ control, since }) => ({ part: control, since })),
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
