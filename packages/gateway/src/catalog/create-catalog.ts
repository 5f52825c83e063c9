import type { Fault } from "@recourse/core";
import { paramsFault } from "@recourse/core/proxy";
import { core } from "@recourse/core/reasons";
import { hasHandshake, objectAt, parseJson, race, sleep, stringAt } from "@recourse/core/wire";
import type { Call, Route, Step } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { RequestMessage } from "../call/message.ts";
import type { Observer } from "../call/observer.ts";
import { upstreamSessionKey } from "../call/session.ts";
import type { Upstream } from "../call/upstream.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { FairPool } from "../limits/fair-pool.ts";
import { streamPool } from "../limits/shares.ts";
import { OpenStreams } from "../sessions/open-streams.ts";
import type { SessionStates } from "../sessions/session-states.ts";
import type { TaskIds } from "../tasks/task-ids.ts";
import { type CallerListBounds, CallerLists } from "./caller-lists.ts";
import { CallerStreams } from "./caller-streams.ts";
import { Cancellations } from "./cancellations.ts";
import type { Catalog, ToolFacts } from "./catalog.ts";
import { Feeds } from "./feeds.ts";
import { Listening } from "./listen.ts";
import { type ApprovalMarks, type MergedLists, mergeLists, type PlacedEntry, shadowLog } from "./merged.ts";
import { createRefusals, type MethodRule, methodRule } from "./methods.ts";
import { listChangeFor } from "./notifications.ts";
import { createIdentity, discoverResult, initializeResult, listResult } from "./own-results.ts";
import { LIST_METHODS, type ListMethod, type ReadBounds } from "./read-list.ts";
import { ROOTS_CHANGED, RootsChanges } from "./roots-changes.ts";
import { TaskRoutes } from "./task-routes.ts";
import { REFRESH_TIMES, type RefreshTimes, UpstreamLists } from "./upstream-lists.ts";
import { possibleOwners, unseenBefore, View } from "./view.ts";
import { createVisibility } from "./visibility.ts";

export interface CatalogOptions {
  readonly config: Pick<GatewayConfig, "name" | "tools">;
  /** Which tools need an approval. @default none */
  readonly approvals?: ApprovalMarks;
  readonly upstreams: readonly Upstream[];
  readonly observer: Observer;
  /** The streams of changes of all callers. @default 8,192 of them */
  readonly streams?: FairPool;
  /** The streams of sessions; they outlive the catalog. @default none is open */
  readonly openStreams?: OpenStreams;
  /** Announces to callers that their idempotency keys are honoured. @default false */
  readonly keepsKeys?: boolean;
  /** The ids of tasks. @default no task is known */
  readonly taskIds?: TaskIds | undefined;
  /** Keeps the log level that a caller sets for its session. @default no level can be set */
  readonly sessionStates?: Pick<SessionStates, "setLevel"> | undefined;
  /** The catalog of the configuration before. Lists of upstreams that both have are taken over. @default none */
  readonly before?: Catalog | undefined;
  /** Monotonic time in ms. @default performance.now */
  readonly now?: () => number;
  /** How often lists are read. @default REFRESH_TIMES */
  readonly times?: RefreshTimes;
  /** How much of a list is read. @default READ_BOUNDS */
  readonly bounds?: ReadBounds;
  /** How much is kept of lists that callers read for themselves. @default 1,000 callers, 64 MiB */
  readonly callerBounds?: Partial<CallerListBounds>;
}

type RouteOutcome = Route | Fault | Promise<Route | Fault>;

const RESOURCE_LISTS = ["resources/list", "resources/templates/list"] as const satisfies readonly ListMethod[];

/** How long a request waits for lists that are being read; then it is answered from what is there. */
const MAX_LIST_WAIT_MS = 3_000;

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
  /** Another value after each change of the lists. */
  let listsVersion: object = {};

  const hasCallerLists = options.upstreams.some((upstream) => upstream.options.lists === "caller");
  const callerLists = new CallerLists({
    client: { name: identity.name, version: identity.version },
    observer,
    now,
    times: options.times ?? REFRESH_TIMES,
    bounds: options.callerBounds,
    merge: (own) => mergeLists(all, rules, own),
    onNotification: hear,
  });

  const createView = (call: Call): View => {
    const caller = call.caller ?? NO_CALLER;
    if (!hasCallerLists) return new View(merged, caller, visibility);
    return new View(merged, caller, visibility, {
      all,
      session: () => upstreamSessionKey(call),
      find: () => callerLists.find(call),
    });
  };
  const taskRoutes = new TaskRoutes({ ids: options.taskIds, all, refusals, createView });
  const streams = options.streams ?? streamPool();
  const feeds = new Feeds();
  const rootsChanges = new RootsChanges({ all, observer, createView });
  const listenParts = { all, identity, observer, now, feeds, createView, findOwner };
  const listening = new Listening({ ...listenParts, streams, refusals });
  const callerStreams = new CallerStreams({
    ...listenParts,
    pool: streams,
    open: options.openStreams ?? new OpenStreams(),
    listsVersion: () => listsVersion,
  });

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
          if (changed.length > 0) {
            merged = mergeLists(all, rules);
            listsVersion = {};
          }
          logShadowed(merged);
          feeds.published(lists, changed);
        },
        onNotification: hear,
        onOutdated(lists) {
          callerLists.forget(lists);
          feeds.published(lists, LIST_METHODS);
        },
      }),
    );
  }

  merged = mergeLists(all, rules);

  /** `session` is that of the caller in which it came; undefined if it came to the gateway itself. */
  function hear(lists: UpstreamLists, notification: Buffer, session?: string): void {
    const method = stringAt(parseJson(notification.toString("utf8")), "method") ?? "";
    const change = listChangeFor(method);
    if (change === undefined) return;
    if (!lists.isPerCaller || session === undefined) {
      lists.invalidate();
      return;
    }
    callerLists.forget(lists, session);
    feeds.publishedIn(session, change);
  }

  /** Waits for reads under way, as long as the caller has time. */
  function settle(reads: readonly Promise<void>[], call: Call, maxMs = MAX_LIST_WAIT_MS): Promise<unknown> {
    const ms = Math.max(0, Math.min(maxMs, call.deadlineMs - now()));
    return race(Promise.all(reads), { ms, sleep, signal: call.origin.signal });
  }

  /** Answers once lists that are not worth showing yet have been read. */
  function settled<T>(call: Call, answer: () => T): T | Promise<T> {
    const reads = all.flatMap(({ settling }) => settling ?? []);
    return reads.length === 0 ? answer() : settle(reads, call).then(answer);
  }

  /** Answers once the lists that the caller reads for itself have been read, too. */
  function readFor<T>(call: Call, answer: () => T): T | Promise<T> {
    if (!hasCallerLists) return settled(call, answer);
    const view = createView(call);
    const reads = all.flatMap((lists) => {
      const isWanted = lists.isPerCaller && view.mayReach(lists);
      return (isWanted ? callerLists.read(call, lists) : lists.settling) ?? [];
    });
    return reads.length === 0 ? answer() : settle(reads, call).then(answer);
  }

  const local = {
    initialize: localRoute((call) =>
      settled(call, () => initializeResult(call.message?.params?.["protocolVersion"], createView(call), all, identity)),
    ),
    discover: localRoute((call) => settled(call, () => discoverResult(createView(call), all, identity))),
    ping: localRoute(() => "{}"),
    // It is passed on to upstreams, and remembered for days.
    logLevel: { ...localRoute((call) => setLogLevel(call)), messages: 1 },
    list: localRoute((call) => readFor(call, () => listed(call))),
  } as const satisfies Partial<Record<MethodRule, Route>>;

  /** A level belongs to a session, so without one there is nothing to set. */
  function setLogLevel({ caller, session, message }: Call): string | Fault | Promise<string> {
    const level = stringAt(message?.params, "level");
    const { sessionStates } = options;
    if (sessionStates === undefined || caller === undefined || session === undefined || level === undefined)
      return refusals.method("logging/setLevel");
    return sessionStates.setLevel(caller, session, level).then(() => "{}");
  }

  function listed(call: Call): string | Fault {
    const method = call.message?.method as ListMethod;
    const cursor = call.message?.params?.["cursor"];
    return listResult({ method, cursor, revision: call.revision, view: createView(call), all, identity });
  }

  /**
   * The route of a name. If it is not listed, the upstreams that could have it are asked once more. What a caller sends
   * never goes to another upstream than the owner, so nothing is sent while the owner is not known.
   */
  function named(call: Call, method: "tools/list" | "prompts/list", name: string, refuse: Refuse): RouteOutcome {
    const view = createView(call);
    const found = view.find(method, name);
    const isCertain = !hasEqualPrefixes || unseenBefore(view, found, possibleOwners(name, all), [method]) === undefined;
    if (found !== undefined && isCertain) return remembered(call, found.route);
    // Whether the name exists makes no difference to a caller that may not have it: nothing is asked, nothing takes longer.
    if (!view.mayName(name)) return refuse(view);
    const possible = possibleOwners(name, all);
    return afterDemand(call, possible, () => {
      const later = createView(call);
      const placed = later.find(method, name);
      const unseen = unseenBefore(later, placed, possible, [method]);
      if (unseen !== undefined) return later.failureAt(unseen, method) ?? refusals.away(unseen.retry);
      return placed === undefined ? refuse(later) : remembered(call, placed.route);
    });
  }

  /**
   * The route of a resource: by the list, then by the templates. A URI that an upstream has listed tells it nothing new. One that
   * only matches a template, or the arguments of a completion, may be meant for an upstream before it that was never seen.
   */
  function resource(call: Call, uri: string, { isRead }: { readonly isRead: boolean }, refuse: Refuse): RouteOutcome {
    const view = createView(call);
    const possible = all.filter((lists) => view.mayReach(lists));
    const found = owner(uri, view);
    const isListed = (shown: View) => isRead && shown.find("resources/list", uri) !== undefined;
    const isCertain = isListed(view) || unseenBefore(view, found, possible, RESOURCE_LISTS) === undefined;
    if (found !== undefined && isCertain) return remembered(call, { ...found.route, target: uri });
    return afterDemand(call, possible, () => {
      const later = createView(call);
      const placed = owner(uri, later);
      if (placed === undefined) return refuse(later);
      const unseen = isListed(later) ? undefined : unseenBefore(later, placed, possible, RESOURCE_LISTS);
      return unseen === undefined ? remembered(call, { ...placed.route, target: uri }) : refusals.away(unseen.retry);
    });
  }

  function owner(uri: string, view: View): PlacedEntry | undefined {
    return view.find("resources/list", uri) ?? view.find("resources/templates/list", uri) ?? view.findTemplate(uri);
  }

  /** The route of a subscription: the gateway follows the resource at its upstream for the session. */
  function subscription(uri: string, found: Route | Fault): Route | Fault {
    if ("reason" in found || found.kind !== "upstream") return found;
    const lists = all.find(({ upstream }) => upstream === found.upstream);
    if (lists === undefined) return refusals.resource(uri);
    return { ...localRoute((call) => callerStreams.subscribe(call, uri, lists)), messages: 1 };
  }

  /** The upstream that a resource is followed at; undefined also while it is not known which one it is. */
  function findOwner(uri: string, view: View): UpstreamLists | undefined {
    const found = owner(uri, view);
    if (view.find("resources/list", uri) !== undefined) return found?.lists;
    const possible = all.filter((lists) => view.mayReach(lists));
    return unseenBefore(view, found, possible, RESOURCE_LISTS) === undefined ? found?.lists : undefined;
  }

  function afterDemand(call: Call, possible: readonly UpstreamLists[], then: () => Route | Fault): RouteOutcome {
    const reads = possible.flatMap((lists) => {
      const read = lists.isPerCaller ? callerLists.read(call, lists, { isUnknown: true }) : lists.refreshOnDemand();
      return read ?? [];
    });
    // For lists that are read for the caller alone, the call waits as long as for an answer.
    const maxMs = possible.some(({ isPerCaller }) => isPerCaller) ? Number.POSITIVE_INFINITY : undefined;
    return reads.length === 0 ? then() : settle(reads, call, maxMs).then(then);
  }

  /** Callers of the older era cancel by a notification; others by closing the connection. */
  function remembered(call: Call, route: Route): Route {
    if (hasHandshake(call.revision)) cancellations.add(call);
    return route;
  }

  /** A route that is known at once. */
  function taken(call: Call, found: Route | Fault): Route | Fault {
    return "reason" in found ? found : remembered(call, found);
  }

  function findRoute(call: Call, recheck: readonly Step[] = []): RouteOutcome {
    const { message } = call;
    if (message === undefined || call.caller === undefined) return core.internal.fault({}, { origin: identity.origin });
    if (message.id === undefined) {
      if (message.method === "notifications/cancelled" && hasHandshake(call.revision)) cancellations.cancel(call);
      if (message.method === ROOTS_CHANGED) rootsChanges.pass(call);
      return IGNORED;
    }
    const rule = methodRule(message.method, call.revision);
    if (rule === "refuse") return refusals.method(message.method);
    return paramsFault(message.method, message.params) ?? byRule(rule, call, message, recheck);
  }

  function byRule(
    rule: Exclude<MethodRule, "refuse">,
    call: Call,
    { params }: RequestMessage,
    recheck: readonly Step[],
  ): RouteOutcome {
    switch (rule) {
      case "initialize":
      case "discover":
      case "ping":
      case "list":
      case "logLevel":
        return local[rule];
      case "listen":
        return {
          ...localRoute((one) => listening.answer(one, recheck)),
          isEndless: true,
          messages: listening.countSubscriptions(call),
        };
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
      case "task":
        return taken(call, taskRoutes.findTask(call, stringAt(params, "taskId") ?? ""));
      case "subscribe": {
        const uri = stringAt(params, "uri") ?? "";
        const found = resource(call, uri, { isRead: true }, () => refusals.resource(uri));
        return found instanceof Promise ? found.then((one) => subscription(uri, one)) : subscription(uri, found);
      }
      case "unsubscribe":
        return {
          ...localRoute((one) => callerStreams.unsubscribe(one, stringAt(params, "uri") ?? "")),
          messages: 1,
        };
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
    serveStream: (call, recheck) => callerStreams.serve(call, recheck),
    lastLists: (upstream) => all.find((lists) => lists.upstream === upstream)?.last,
    get isTried() {
      return all.every(({ isTried }) => isTried);
    },
    toolName(upstream, tool, call) {
      const name = upstream.options.prefix + tool;
      const view = createView(call);
      const placed = view.findAny("tools/list", name);
      if (placed?.lists.upstream !== upstream) return undefined;
      return view.sees("tools/list", placed) ? name : "hidden";
    },
    findTool(name) {
      const placed = merged.entries["tools/list"].get(name);
      const lists = placed?.lists ?? possibleOwners(name, all)[0];
      return lists && { upstream: lists.upstream.options.name, ...(placed && readToolTexts(placed.entry.text)) };
    },
    get toolNames() {
      return [...merged.entries["tools/list"].keys()];
    },
    markStale(upstream, call) {
      for (const lists of all) {
        if (lists.upstream !== upstream) continue;
        if (lists.isPerCaller) callerLists.forget(lists, upstreamSessionKey(call));
        else lists.invalidate();
      }
    },
    get state() {
      return all.map((lists) => ({
        upstream: lists.upstream.options.name,
        listed: lists.listed,
        tools: merged.tools.get(lists)?.length ?? 0,
        shadowed: merged.shadowed.get(lists)?.names ?? [],
        era: lists.era,
        listedMs: lists.listedMs,
        why: lists.why,
      }));
    },
    onNotification(name, notification, session) {
      for (const lists of all) if (lists.upstream.options.name === name) hear(lists, notification, session);
    },
    close() {
      listening.close();
      callerStreams.close();
      callerLists.close();
      for (const lists of all) lists.close();
    },
  };
}

type Refuse = (view: View) => Fault;

/** As much of the texts of a tool as operators are shown. */
const MAX_TOOL_TITLE = 256;
const MAX_TOOL_DESCRIPTION = 4_096;

function readToolTexts(text: string): Pick<ToolFacts, "title" | "description"> {
  const tool = parseJson(text);
  const title = stringAt(tool, "title") ?? stringAt(objectAt(tool, "annotations"), "title");
  return {
    title: title?.slice(0, MAX_TOOL_TITLE),
    description: stringAt(tool, "description")?.slice(0, MAX_TOOL_DESCRIPTION),
  };
}

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
