import type { Fault } from "@recourse/core";
import type { Call, Route, Step } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";
import type { KnownLists } from "./upstream-lists.ts";

export interface ListState {
  readonly upstream: string;
  /** `never`: its tools were not read yet. `kept`: it is down, and its last lists stay. */
  readonly listed: "never" | "current" | "kept";
  readonly tools: number;
  /** Names and URIs that are left out, since they belong to another upstream: the first hundred. */
  readonly shadowed: readonly string[];
  /** The revision of MCP that it speaks. @default it was never ready */
  readonly era?: string | undefined;
  /** When its lists were last read, in ms since 1970. @default never */
  readonly listedMs?: number | undefined;
  /** Why the last attempt to read them failed, for the operator. @default it did not fail */
  readonly why?: string | undefined;
}

export interface ToolFacts {
  readonly upstream: string;
  /** Missing if the upstream states none, or if each caller has a list of its own. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

export interface Catalog {
  /**
   * Where a message goes, as far as this caller is concerned. It waits only if a list has not been read yet. A stream
   * ends when one of the steps of `recheck` refuses its caller; there are none unless they are given.
   */
  findRoute(call: Call, recheck?: readonly Step[]): Route | Fault | Promise<Route | Fault>;
  /**
   * How this caller knows a tool of an upstream: its name, `hidden` for a tool that the caller does not see, undefined
   * if the upstream lists no such tool.
   */
  toolName(upstream: Upstream, tool: string, call: Call): string | "hidden" | undefined;
  /** What is listed about a tool, by the name that callers use; undefined if no upstream can have it. */
  findTool(name: string): ToolFacts | undefined;
  /** The names of all tools, as callers use them. Those of upstreams that list each caller its own are not known. */
  readonly toolNames: readonly string[];
  /** The upstream does not know a tool that it has listed to the caller, so its list has to be read again. */
  markStale(upstream: Upstream, call: Call): void;
  /** Each upstream has been asked for its lists once, whether or not it answered. */
  readonly isTried: boolean;
  readonly state: readonly ListState[];
  /**
   * A notification that an upstream sent beside an answer. Lists that it says have changed are read again. `session` is
   * the caller's session at the upstream; undefined if the upstream sent it to the gateway itself.
   */
  onNotification(upstream: string, notification: Buffer, session?: string): void;
  /** What an upstream listed the last time, for the catalog that replaces this one. */
  lastLists(upstream: Upstream): KnownLists | undefined;
  /** Serves a stream of the caller's session until it ends. The steps are run again from time to time: may the caller still have it? */
  serveStream(call: Call, recheck: readonly Step[]): Promise<Fault | undefined>;
  close(): void;
}

/** Finds out where the message goes. Unknown, hidden and out of scope are one answer. */
export function resolveRoute(catalog: Catalog, recheck: readonly Step[]): Step {
  return (call) => {
    // An answer to a question has arrived already.
    if (call.route !== undefined) return undefined;
    const found = catalog.findRoute(call, recheck);
    return found instanceof Promise ? found.then((outcome) => acceptRoute(call, outcome)) : acceptRoute(call, found);
  };
}

const STREAM_ROUTE: Route = { kind: "local", answer: () => "{}", isEndless: true };

export function serveStream(catalog: Catalog, recheck: readonly Step[]): Step {
  return (call) => {
    call.route = STREAM_ROUTE;
    return catalog.serveStream(call, recheck);
  };
}

function acceptRoute(call: Call, found: Route | Fault): Fault | undefined {
  // The kinds of faults and those of routes have no name in common.
  if ("reason" in found) return found;
  call.route = found;
  return undefined;
}
