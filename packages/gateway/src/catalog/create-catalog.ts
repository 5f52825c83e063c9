import { core, type Fault } from "@recourse/faults";
import { paramsFault } from "@recourse/faults/proxy";
import { hasHandshake, objectAt, parseJson, race, sleep, stringAt } from "@recourse/wire";
import type { Call, Route } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { RequestMessage } from "../call/message.ts";
import type { Observer } from "../call/observer.ts";
import type { Upstream } from "../call/upstream.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { FairPool } from "../limits/fair-pool.ts";
import { streamPool } from "../limits/shares.ts";
import { Cancellations } from "./cancellations.ts";
import type { Catalog } from "./catalog.ts";
import { Listening } from "./listen.ts";
import {
  type ApprovalMarks,
  type MergedLists,
  mergeLists,
  type PlacedEntry,
  possibleOwners,
  shadowLog,
  unseenBefore,
  View,
} from "./merged.ts";
import { createRefusals, type MethodRule, methodRule } from "./methods.ts";
import { listChangeFor } from "./notifications.ts";
import { createIdentity, discoverResult, initializeResult, listResult } from "./own-results.ts";
import type { ListMethod, ReadBounds } from "./read-list.ts";
import { type RefreshTimes, UpstreamLists } from "./upstream-lists.ts";
import { createVisibility } from "./visibility.ts";

/** Options of a catalog. */
export interface CatalogOptions {
  readonly config: Pick<GatewayConfig, "name" | "tools">;
  /** Which tools need an approval. @default none */
  readonly approvals?: ApprovalMarks;
  /** In the order of the file. */
  readonly upstreams: readonly Upstream[];
  readonly observer: Observer;
  /** The streams of changes of all callers. @default 1,024 of them */
  readonly streams?: FairPool;
  /** Callers are told that their idempotency keys are honoured. @default false */
  readonly keepsKeys?: boolean;
  /** The catalog of the configuration before. Lists of upstreams that both have are taken over. @default none */
  readonly before?: Catalog | undefined;
  /** Monotonic time in ms. @default performance.now */
  readonly now?: () => number;
  /** How often lists are read. @default REFRESH_TIMES */
  readonly times?: RefreshTimes;
  /** How much of a list is read. @default READ_BOUNDS */
  readonly bounds?: ReadBounds;
}

type RouteOutcome = Route | Fault | Promise<Route | Fault>;

const RESOURCE_LISTS = ["resources/list", "resources/templates/list"] as const satisfies readonly ListMethod[];

/** How long a request waits for lists that are being read; then it is answered from what is there. */
const MAX_LIST_WAIT_MS = 3_000;

/** Starts to read the lists of the upstreams, and answers from what has been read. */
export function createCatalog(options: CatalogOptions): Catalog {
  const { config, observer, now = () => performance.now() } = options;
  const identity = createIdentity(config, options.keepsKeys ?? false);
  const refusals = createRefusals(identity);
  const visibility = createVisibility(config.tools);
  const rules = { visibility, approvals: options.approvals ?? { needs: () => false, denies: () => false } };
  const cancellations = new Cancellations();
  const logShadowed = shadowLog(observer, now);
  const all: UpstreamLists[] = [];
  const prefixes = new Set(options.upstreams.map((upstream) => upstream.options.prefix));
  const hasEqualPrefixes = prefixes.size < options.upstreams.length;
  let merged: MergedLists = mergeLists([], rules);

  const createView = ({ caller }: Call): View => new View(merged, caller ?? NO_CALLER, visibility);
  const streams = options.streams ?? streamPool();
  const listening = new Listening({ streams, all, identity, refusals, observer, now, createView, findOwner });

  for (const upstream of options.upstreams) {
    all.push(
      new UpstreamLists({
        upstream,
        observer,
        client: { name: identity.name, version: identity.version },
        now,
        times: options.times,
        bounds: options.bounds,
        last: options.before?.lastLists(upstream),
        onRead(lists, changed) {
          if (changed.length > 0) merged = mergeLists(all, rules);
          logShadowed(merged);
          listening.published(lists, changed);
        },
        onNotification: hear,
      }),
    );
  }

  merged = mergeLists(all, rules);

  function hear(lists: UpstreamLists, notification: Buffer): void {
    const method = stringAt(parseJson(notification.toString("utf8")), "method") ?? "";
    if (listChangeFor(method) !== undefined) lists.invalidate();
  }

  /** Waits for reads under way, as long as the caller has time. */
  function settle(reads: readonly Promise<void>[], call: Call): Promise<unknown> {
    const ms = Math.max(0, Math.min(MAX_LIST_WAIT_MS, call.deadlineMs - now()));
    return race(Promise.all(reads), { ms, sleep, signal: call.origin.signal });
  }

  /** Answers once lists that are not worth showing yet have been read. */
  function settled<T>(call: Call, answer: () => T): T | Promise<T> {
    const reads = all.flatMap(({ settling }) => settling ?? []);
    return reads.length === 0 ? answer() : settle(reads, call).then(answer);
  }

  const local = {
    initialize: localRoute((call) =>
      settled(call, () => initializeResult(call.message?.params?.["protocolVersion"], createView(call), all, identity)),
    ),
    discover: localRoute((call) => settled(call, () => discoverResult(createView(call), all, identity))),
    ping: localRoute(() => "{}"),
    list: localRoute((call) => settled(call, () => listed(call))),
    listen: { ...localRoute((call) => listening.answer(call)), isEndless: true },
  } as const satisfies Partial<Record<MethodRule, Route>>;

  function listed(call: Call): string | Fault {
    const method = call.message?.method as ListMethod;
    const cursor = call.message?.params?.["cursor"];
    return listResult({ method, cursor, revision: call.revision, view: createView(call), all, identity });
  }

  /**
   * The route of a name; where it is not listed, the upstreams that could have it are asked once more. What a caller sends never
   * goes to another upstream than the owner, so nothing is sent while the owner is not known.
   */
  function named(call: Call, method: "tools/list" | "prompts/list", name: string, refuse: Refuse): RouteOutcome {
    const view = createView(call);
    const found = view.find(method, name);
    const isCertain = !hasEqualPrefixes || unseenBefore(found, possibleOwners(name, all), [method]) === undefined;
    if (found !== undefined && isCertain) return remembered(call, found.route);
    // Whether the name exists makes no difference to a caller that may not have it: nothing is asked, nothing takes longer.
    if (!view.mayName(name)) return refuse(view);
    const possible = possibleOwners(name, all);
    return afterDemand(call, possible, () => {
      const later = createView(call);
      const placed = later.find(method, name);
      const unseen = unseenBefore(placed, possible, [method]);
      if (unseen !== undefined) return refusals.away(unseen.retry);
      return placed === undefined ? refuse(later) : remembered(call, placed.route);
    });
  }

  /**
   * The route of a resource: by the list, then by the templates. A URI that an upstream has listed tells it nothing new. One that
   * only matches a template, or the arguments of a completion, may be meant for an upstream before it that was never seen.
   */
  function resource(call: Call, uri: string, { isRead }: { readonly isRead: boolean }, refuse: Refuse): RouteOutcome {
    const view = createView(call);
    const possible = all.filter((lists) => view.reaches(lists));
    const found = owner(uri, view);
    const isListed = (shown: View) => isRead && shown.find("resources/list", uri) !== undefined;
    const isCertain = isListed(view) || unseenBefore(found, possible, RESOURCE_LISTS) === undefined;
    if (found !== undefined && isCertain) return remembered(call, { ...found.route, target: uri });
    return afterDemand(call, possible, () => {
      const later = createView(call);
      const placed = owner(uri, later);
      if (placed === undefined) return refuse(later);
      const unseen = isListed(later) ? undefined : unseenBefore(placed, possible, RESOURCE_LISTS);
      return unseen === undefined ? remembered(call, { ...placed.route, target: uri }) : refusals.away(unseen.retry);
    });
  }

  function owner(uri: string, view: View): PlacedEntry | undefined {
    const method = "resources/templates/list";
    return (
      view.find("resources/list", uri) ??
      view.find(method, uri) ??
      view.merged.templates.find(({ matches, placed }) => matches(uri) && view.sees(method, placed))?.placed
    );
  }

  /** The upstream that a resource is followed at; undefined also while it is not known which one it is. */
  function findOwner(uri: string, view: View): UpstreamLists | undefined {
    const found = owner(uri, view);
    if (view.find("resources/list", uri) !== undefined) return found?.lists;
    const possible = all.filter((lists) => view.reaches(lists));
    return unseenBefore(found, possible, RESOURCE_LISTS) === undefined ? found?.lists : undefined;
  }

  function afterDemand(call: Call, possible: readonly UpstreamLists[], then: () => Route | Fault): RouteOutcome {
    const reads = possible.flatMap((lists) => lists.refreshOnDemand() ?? []);
    return reads.length === 0 ? then() : settle(reads, call).then(then);
  }

  /** Callers of the older era cancel by a notification; others by closing the connection. */
  function remembered(call: Call, route: Route): Route {
    if (hasHandshake(call.revision)) cancellations.add(call);
    return route;
  }

  function findRoute(call: Call): RouteOutcome {
    const { message } = call;
    if (message === undefined || call.caller === undefined) return core.internal.fault({}, { origin: identity.origin });
    if (message.id === undefined) {
      if (message.method === "notifications/cancelled" && hasHandshake(call.revision)) cancellations.cancel(call);
      return IGNORED;
    }
    const rule = methodRule(message.method, call.revision);
    if (rule === "refuse") return refusals.method(message.method);
    return paramsFault(message.method, message.params) ?? byRule(rule, call, message);
  }

  function byRule(rule: Exclude<MethodRule, "refuse">, call: Call, { params }: RequestMessage): RouteOutcome {
    switch (rule) {
      case "initialize":
      case "discover":
      case "ping":
      case "list":
      case "listen":
        return local[rule];
      case "tool": {
        const name = stringAt(params, "name") ?? "";
        return named(call, "tools/list", name, (view) => refusals.tool(name, view));
      }
      case "prompt": {
        const name = stringAt(params, "name") ?? "";
        return named(call, "prompts/list", name, (view) => refusals.prompt(name, view));
      }
      case "resource": {
        const uri = stringAt(params, "uri") ?? "";
        return resource(call, uri, { isRead: true }, () => refusals.resource(uri));
      }
      case "completion": {
        const ref = objectAt(params, "ref");
        const isPrompt = stringAt(ref, "type") === "ref/prompt";
        if (isPrompt) return named(call, "prompts/list", stringAt(ref, "name") ?? "", refusals.completion);
        return resource(call, stringAt(ref, "uri") ?? "", { isRead: false }, refusals.completion);
      }
      default:
        return rule satisfies never;
    }
  }

  return {
    findRoute,
    lastLists: (upstream) => all.find((lists) => lists.upstream === upstream)?.last,
    get isTried() {
      return all.every(({ isTried }) => isTried);
    },
    toolName(upstream, tool, call) {
      const name = upstream.options.prefix + tool;
      const placed = merged.entries["tools/list"].get(name);
      if (placed?.lists.upstream !== upstream) return undefined;
      return createView(call).sees("tools/list", placed) ? name : "hidden";
    },
    markStale(upstream) {
      for (const lists of all) if (lists.upstream === upstream) lists.invalidate();
    },
    get state() {
      return all.map((lists) => ({
        upstream: lists.upstream.options.name,
        listed: lists.listed,
        tools: merged.tools.get(lists)?.length ?? 0,
        shadowed: merged.shadowed.get(lists)?.names ?? [],
      }));
    },
    onNotification(name, notification) {
      for (const lists of all) if (lists.upstream.options.name === name) hear(lists, notification);
    },
    close() {
      listening.close();
      for (const lists of all) lists.close();
    },
  };
}

type Refuse = (view: View) => Fault;

const IGNORED: Route = { kind: "ignored" };

const NO_CALLER: Caller = {
  id: "",
  tenant: "",
  subject: "",
  tools: [],
  scopes: new Set(),
  entitlements: new Set(),
  dialect: undefined,
};

function localRoute(answer: (call: Call) => string | Fault | Promise<string | Fault>) {
  return { kind: "local", answer } as const;
}
