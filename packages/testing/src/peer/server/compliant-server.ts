// An MCP server that keeps the protocol, without a transport. The misbehaviours replace its replies.

import { type Fault, FaultError } from "@recourse/core";
import { erlmcp, mcp } from "@recourse/core/dialects";
import { toFault } from "@recourse/core/reasons";
import { type JsonObject, LATEST_REVISION, parseRevision, stringAt } from "@recourse/core/wire";
import { createClock } from "../clock.ts";
import { errorResponse, type PeerRequest, type RequestId, resultResponse } from "../json-rpc.ts";
import { type AppliedEffect, createEffectLog } from "../step-queue.ts";
import { dispatch, sessionFor, type TransportContext } from "./dispatch.ts";
import { metaVersion } from "./lifecycle.ts";
import { createServerState, DEFAULT_PEER_LIMITS, type PeerLimits, type ServerState } from "./state.ts";
import { callMetadata, PEER_TOOLS } from "./tools.ts";

// The server's error replies, in the dialect of the peer.

export type PeerDialect = "mcp" | "erlmcp";

export interface ServerReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: JsonObject | undefined;
}

/** HTTP statuses of errors outside the methods, as servers of the official SDK send them. */
const STATUS_BY_REASON: Readonly<Record<string, number>> = {
  "protocol/parse_error": 400,
  "protocol/invalid_request": 400,
  "protocol/not_initialized": 400,
  "protocol/session_not_found": 404,
  "protocol/version_mismatch": 400,
  "protocol/version_unsupported": 400,
  "content/invalid_encoding": 400,
  "content/message_too_large": 413,
  "content/invalid_type": 415,
};

/** What a fault replies to. Without a request the reply has no id. */
interface ErrorReplyContext {
  readonly dialect: PeerDialect;
  readonly request?: PeerRequest | undefined;
  readonly revision?: string;
}

function errorReply(fault: Fault, { dialect, request, revision }: ErrorReplyContext): ServerReply {
  // An error before the method was looked at is never the result of a tool.
  const isBeforeMethod = request === undefined || Object.hasOwn(STATUS_BY_REASON, fault.reason);
  const method = isBeforeMethod ? "unread" : request.method;
  const tool = method === "tools/call" ? stringAt(request?.params, "name") : undefined;
  switch (dialect) {
    case "erlmcp":
      return { status: 200, headers: {}, message: erlmcpMessage(fault, request, { method, tool }) };
    case "mcp": {
      const written = parseRevision(revision);
      const wire = mcp.encode(fault, { method, tool, revision: written, outputSchema: false });
      const fixed = "status" in wire ? wire.status : undefined;
      const status = fixed ?? STATUS_BY_REASON[fault.reason] ?? 200;
      const message =
        "result" in wire ? resultResponse(request?.id, wire.result) : errorResponse(request?.id, wire.error);
      return { status, headers: {}, message };
    }
    default:
      return dialect satisfies never;
  }
}

function erlmcpMessage(
  fault: Fault,
  request: PeerRequest | undefined,
  context: { readonly method: string; readonly tool: string | undefined },
): JsonObject {
  return errorResponse(request?.id, erlmcp.encode(fault, context).error);
}

/** Options of the server, on every transport. */
export interface CompliantServerOptions {
  /** Whether idempotency keys are honoured and announced. @default false */
  readonly idempotency?: boolean;
  /** The dialect of its error replies. @default "mcp" */
  readonly dialect?: PeerDialect;
  /** Limits that differ from the usual ones. @default {} */
  readonly limits?: Partial<PeerLimits>;
  /** The current time in milliseconds. @default Date.now */
  readonly now?: () => number;
  /** Called for everything that reaches the peer, once the peer knows how it treats it. @default nothing is called */
  readonly onArrival?: ((arrival: Arrival) => void) | undefined;
}

/** Something that reached the peer. */
export type Arrival =
  /** A request or a notification. */
  | { readonly what: "message"; readonly message: ReceivedMessage }
  /** A message that cannot be read, with the reason of the fault that it is answered with. */
  | { readonly what: "unreadable"; readonly reason: string }
  /** An HTTP request that carries no message. */
  | { readonly what: "http"; readonly method: string; readonly path: string };

/** A message that reached the peer, and how the peer treated it. */
export interface ReceivedMessage {
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The JSON-RPC id; undefined for a notification. */
  readonly id: RequestId | undefined;
  /** The name of the tool, for a tool call. */
  readonly tool: string | undefined;
  /** The id of the call: from `_meta["recourse/call"]`, else the argument `order`, else the JSON-RPC id. */
  readonly callId: string;
  /** The number of the attempt, from `_meta["recourse/call"]`. */
  readonly attempt: number | undefined;
  /** The idempotency key, from `_meta["recourse/call"]`. */
  readonly key: string | undefined;
  /** The name of the misbehaviour, or `ok`. */
  readonly step: string;
  /** Whether this message had an effect. */
  readonly committed: boolean;
}

/** A server without a transport. */
export interface CompliantServer {
  readonly state: ServerState;
  /** Every message that arrived, in order. */
  readonly received: readonly ReceivedMessage[];
  /** Records a message. Call the returned function when the message had an effect. */
  record(request: PeerRequest, step: string): () => void;
  /** The correct reply to a request, and the session that it began. */
  reply(
    request: PeerRequest,
    transport: TransportContext,
  ): Promise<ServerReply & { readonly session: string | undefined }>;
  /** The correct reply to a message that could not be read. */
  replyToUnreadable(thrown: unknown): ServerReply;
}

/** Creates a server. `onEffect` is called for every effect. */
export function createCompliantServer(
  options: CompliantServerOptions,
  onEffect?: (effect: AppliedEffect) => void,
): CompliantServer {
  const dialect = options.dialect ?? "mcp";
  const state = createServerState({
    clock: createClock(options.now ?? Date.now),
    limits: { ...DEFAULT_PEER_LIMITS, ...options.limits },
    effects: createEffectLog(onEffect),
    idempotency: options.idempotency === true,
    tools: Object.entries(PEER_TOOLS),
  });
  const received: { -readonly [K in keyof ReceivedMessage]: ReceivedMessage[K] }[] = [];
  return {
    state,
    received,
    record(request, step) {
      const { method, id } = request;
      const tool = method === "tools/call" ? stringAt(request.params, "name") : undefined;
      const { callId, attempt, key } = callMetadata(request);
      const message = { method, id, tool, callId, attempt, key, step, committed: false };
      received.push(message);
      options.onArrival?.({ what: "message", message });
      return () => {
        message.committed = true;
      };
    },
    async reply(request, transport) {
      let revision = metaVersion(request) === undefined ? "" : LATEST_REVISION;
      try {
        const session = sessionFor(state, request, transport);
        revision = session.revision;
        const result = await dispatch(state, request, session, transport);
        const message: JsonObject | undefined =
          request.id === undefined ? undefined : resultResponse(request.id, result);
        const begun = request.method === "initialize" ? session.id : undefined;
        return { status: message === undefined ? 202 : 200, headers: {}, message, session: begun };
      } catch (thrown) {
        return { ...errorReply(faultFrom(thrown), { dialect, request, revision }), session: undefined };
      }
    },
    replyToUnreadable(thrown) {
      const fault = faultFrom(thrown);
      options.onArrival?.({ what: "unreadable", reason: fault.reason });
      return errorReply(fault, { dialect });
    },
  };
}

function faultFrom(thrown: unknown): Fault {
  return FaultError.is(thrown) ? thrown.fault : toFault(thrown);
}
