// Everything that the server knows: its limits, sessions, tools and cursors.

import { erlmcp } from "@recourse/core/dialects";
import { pagination, protocol } from "@recourse/core/reasons";
import { type JsonObject, memberAt } from "@recourse/core/wire";
import type { PeerClock } from "../clock.ts";
import type { PeerRequest, RequestId } from "../json-rpc.ts";
import type { EffectLog } from "../step-queue.ts";

/** The limits of a peer. */
export interface PeerLimits {
  /** Longest message in bytes. */
  readonly messageBytes: number;
  /** Items on one page of a list. */
  readonly pageSize: number;
  /** How long a cursor is valid. */
  readonly cursorMs: number;
  /** How long a tool may run. A deadline in the request may be shorter. */
  readonly toolMs: number;
}

/** The limits of a peer that is given none. */
export const DEFAULT_PEER_LIMITS: PeerLimits = {
  messageBytes: erlmcp.defaults.maxMessageBytes,
  pageSize: 50,
  cursorMs: 300_000,
  toolMs: 30_000,
};

/** The session of one client. In revision 2026-07-28 every request has a session of its own. */
export interface PeerSession {
  readonly id: string;
  readonly revision: string;
  phase: "initializing" | "ready";
  /** Requests that may still be cancelled. */
  readonly running: Map<RequestId, AbortController>;
}

export interface PeerTool {
  readonly description: string;
  /** Parameters with their types. A type with a `?` may be missing. */
  readonly parameters: Readonly<Record<string, "string" | "number" | "string?" | "number?">>;
  readonly annotations?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly run: (args: JsonObject, context: MethodContext) => Promise<JsonObject> | JsonObject;
}

export interface ServerState {
  readonly clock: PeerClock;
  readonly limits: PeerLimits;
  readonly effects: EffectLog;
  readonly idempotency: boolean;
  readonly sessions: Map<string, PeerSession>;
  readonly tools: Map<string, PeerTool>;
  /** The position that each cursor continues from, and when the cursor was created. */
  readonly cursors: Map<string, { readonly list: string; readonly from: number; readonly at: number }>;
  /** A new id, such as `page-1`. */
  nextId(prefix: string): string;
}

export interface MethodContext {
  readonly state: ServerState;
  readonly session: PeerSession;
  readonly request: PeerRequest;
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Sends a message before the reply. */
  readonly send: (message: JsonObject) => void;
  /** Called when the request had an effect. */
  readonly onEffect: () => void;
}

/** The handler of one method: gives the result or throws a fault. */
export type MethodHandler = (context: MethodContext) => Promise<JsonObject> | JsonObject;

interface InitialState extends Pick<ServerState, "clock" | "limits" | "effects" | "idempotency"> {
  readonly tools: Iterable<readonly [string, PeerTool]>;
}

/** The state before the first request. */
export function createServerState({ tools, ...initial }: InitialState): ServerState {
  const serials = new Map<string, number>();
  return {
    ...initial,
    sessions: new Map(),
    tools: new Map(tools),
    cursors: new Map(),
    nextId(prefix) {
      const serial = (serials.get(prefix) ?? 0) + 1;
      serials.set(prefix, serial);
      return `${prefix}-${serial}`;
    },
  };
}

export function createSession(facts: Pick<PeerSession, "id" | "revision" | "phase">): PeerSession {
  return { ...facts, running: new Map() };
}

// Parameters that several methods read.

export function missingParameter(name: string): Error {
  return protocol.invalid_params({}, { quote: { text: `Missing required parameter: ${name}`, from: "peer" } });
}

/** One page of a list, beginning where the cursor of the request points. */
export function paginate({ state, request }: MethodContext, list: string, items: readonly JsonObject[]): JsonObject {
  const from = cursorPosition(memberAt(request.params, "cursor"), list, state);
  const to = from + state.limits.pageSize;
  const page = { [list]: items.slice(from, to) };
  if (to >= items.length) return page;
  const nextCursor = state.nextId("page");
  state.cursors.set(nextCursor, { list, from: to, at: state.clock.now() });
  return { ...page, nextCursor };
}

function cursorPosition(cursor: unknown, list: string, { cursors, clock, limits }: ServerState): number {
  if (cursor === undefined) return 0;
  if (typeof cursor !== "string")
    throw protocol.invalid_params({}, { quote: { text: "Wrong type of parameter: cursor", from: "peer" } });
  const known = cursors.get(cursor);
  if (known === undefined || known.list !== list) throw pagination.invalid_cursor({ cursor });
  if (clock.now() - known.at >= limits.cursorMs) throw pagination.cursor_expired({ cursor, ttlMs: limits.cursorMs });
  return known.from;
}
