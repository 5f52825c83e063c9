import type { Fault } from "@recourse/faults";
import type { Call, Route, Step } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";
import type { KnownLists } from "./upstream-lists.ts";

/** What is known of the lists of one upstream. */
export interface ListState {
  readonly upstream: string;
  /** `never`: its tools were not read yet. `kept`: it is away, and its last lists stay. */
  readonly listed: "never" | "current" | "kept";
  readonly tools: number;
  /** Names and URIs that are left out, since they belong to another upstream: the first hundred. */
  readonly shadowed: readonly string[];
}

/** What the upstreams offer, merged. */
export interface Catalog {
  /** Where a message goes, as far as this caller is concerned. It waits only where a list has not been read yet. */
  findRoute(call: Call): Route | Fault | Promise<Route | Fault>;
  /**
   * How this caller knows a tool of an upstream: its name, `hidden` for a tool that the caller does not see, undefined where
   * the upstream lists no such tool.
   */
  toolName(upstream: Upstream, tool: string, call: Call): string | "hidden" | undefined;
  /** The upstream does not know a tool that it has listed, so its list has to be read again. */
  markStale(upstream: Upstream): void;
  /** Each upstream has been asked for its lists once, whether or not it answered. */
  readonly isTried: boolean;
  /** The upstreams in the order of the file. */
  readonly state: readonly ListState[];
  /** A notification that an upstream sent beside an answer. Lists that it says have changed are read again. */
  onNotification(upstream: string, notification: Buffer): void;
  /** What an upstream listed the last time, for the catalog that replaces this one. */
  lastLists(upstream: Upstream): KnownLists | undefined;
  close(): void;
}

/** Finds out where the message goes. Unknown, hidden and out of scope are one answer. */
export function resolveRoute(catalog: Catalog): Step {
  return (call) => {
    const found = catalog.findRoute(call);
    return found instanceof Promise ? found.then((outcome) => acceptRoute(call, outcome)) : acceptRoute(call, found);
  };
}

function acceptRoute(call: Call, found: Route | Fault): Fault | undefined {
  // The kinds of faults and those of routes have no name in common.
  if ("reason" in found) return found;
  call.route = found;
  return undefined;
}
