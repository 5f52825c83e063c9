import { core } from "@recourse/faults";
import { scopeId } from "../../breaker/breakers.ts";
import type { GatewayConfig, Rate } from "../../config/types.ts";
import { makeChange } from "../change.ts";
import { pageOfAll, pageOfRows } from "../paging.ts";
import { Refusal, type Route } from "../route.ts";
import { choice, count, limit, list, object, pageOf, SCHEMAS, text } from "../schemas.ts";
import type { AdminParts } from "../start-admin.ts";

const WORKS = choice(["works", "away", "off"], "`away`: it cannot be used at the moment. `off`: the file has none.");
const NAMED_PAGE = { limit: limit(100, 200), before: text("The `next` of the page before: a name.") };
/** How long the database may take before it counts as away. */
const PROBE_MS = 1_000;

/** Routes that show and change the state of the gateway. */
export const STATE_ROUTES = [
  {
    method: "GET",
    path: "/upstreams",
    id: "listUpstreams",
    role: "viewer",
    summary: "List the upstreams and what is known about them, in the order of the file.",
    query: NAMED_PAGE,
    answer: pageOf(SCHEMAS.Upstream),
    handle({ values }, { upstreams, controls }) {
      const states = new Map(
        controls.breakers?.views.flatMap(({ upstream, tool, state }) =>
          tool === undefined ? [[upstream, state]] : [],
        ),
      );
      const all = upstreams().map((state) => ({ ...state, breaker: states.get(state.upstream) }));
      return pageOfAll(all, values, ({ upstream }) => upstream);
    },
  },
  {
    method: "GET",
    path: "/breakers",
    id: "listBreakers",
    role: "viewer",
    summary: "List the circuit breakers: one for each upstream, and one for each tool that is held back.",
    query: NAMED_PAGE,
    answer: pageOf(SCHEMAS.Breaker),
    handle: ({ values }, { controls }) => pageOfAll(controls.breakers?.views ?? [], values, scopeId),
  },
  {
    method: "POST",
    path: "/breakers/{upstream}/reset",
    id: "resetBreaker",
    role: "admin",
    summary: "Close the breakers of an upstream and its tools, in all processes.",
    description: "Calls pass again at once. Where the upstream still fails, the breaker opens again.",
    params: { upstream: text("The name of the upstream.") },
    answer: object({ upstream: { type: "string" }, reset: { type: "boolean", const: true } }),
    async handle(request, parts) {
      const { breakers } = parts.controls;
      const upstream = request.values.id("upstream");
      const isKnown = parts.config().upstreams.some(({ name }) => name === upstream);
      if (breakers === undefined || !isKnown)
        return new Refusal(core.not_found.fault({ what: "breaker" }, { effect: "none" }));
      const make = async () => {
        await breakers.reset(upstream);
        return { upstream, reset: true };
      };
      return makeChange(request, parts, { action: "breaker.reset", target: upstream, make });
    },
  },
  {
    method: "GET",
    path: "/limits",
    id: "getLimits",
    role: "viewer",
    summary: "Get the limits of the configuration, and whether their store is away.",
    answer: object(
      {
        mode: choice(["leased", "exact"], "How calls are counted."),
        isAway: { type: "boolean", description: "The store of the limits cannot be used at the moment." },
        away: choice(["closed", "open", "local"], "What calls get while it is away."),
        address: SCHEMAS.Rate,
        key: SCHEMAS.Rate,
        tenant: SCHEMAS.Rate,
        cost: SCHEMAS.Rate,
        tools: list(object({ pattern: { type: "string" }, rate: SCHEMAS.Rate })),
      },
      ["address", "key", "tenant", "cost"],
    ),
    handle(_, { config, areLimitsAway }) {
      const { limits, away } = config();
      return { ...limitsView(limits), isAway: areLimitsAway(), away: away.limits };
    },
  },
  {
    method: "GET",
    path: "/audit",
    id: "listAudit",
    role: "viewer",
    summary: "List what operators decided and changed, the newest first.",
    query: {
      limit: limit(50, 200),
      before: {
        type: "string",
        maxLength: 18,
        pattern: "^[0-9]{1,18}$",
        description: "The `next` of the page before: an id.",
      },
    },
    answer: pageOf(SCHEMAS.AuditEntry),
    async handle({ values }, { controls }) {
      const most = values.count("limit");
      const rows = await controls.audit?.list({ limit: most + 1, before: values.text("before") });
      return pageOfRows(rows ?? [], most, (row) => row.id);
    },
  },
  {
    method: "GET",
    path: "/health",
    id: "getHealth",
    role: "viewer",
    summary: "Get the state of the gateway's parts.",
    answer: object({
      status: choice(["ok", "degraded"], "`degraded`: a part is away, or an upstream has no current list."),
      name: { type: "string" },
      version: { type: "string" },
      store: choice(["memory", "shared"], "Where the gateway keeps what outlives a call."),
      parts: object({ database: WORKS, limits: WORKS, approvals: WORKS, breakers: WORKS, incidents: WORKS }),
      incidents: object({
        waiting: count("How many wait to be written."),
        dropped: count("How many could not be kept since the start."),
      }),
    }),
    handle: (_, parts) => healthOf(parts),
  },
] as const satisfies readonly Route[];

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

async function healthOf(parts: AdminParts) {
  const { config, controls, areLimitsAway, upstreams, version } = parts;
  const { name, store } = config();
  const database = store.mode === "memory" ? "off" : await databaseState(parts);
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
    store: store.mode,
    parts: states,
    incidents: { waiting: incidents?.waiting ?? 0, dropped: incidents?.dropped ?? 0 },
  };
}

/** The audit is in the same database as all the rest. */
async function databaseState({ controls }: AdminParts): Promise<"works" | "away" | "off"> {
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
