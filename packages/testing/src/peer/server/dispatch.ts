// The protocol: which session a request belongs to, which method answers it, and within which limits.
import { FaultError } from "@recourse/core";
import { core, protocol } from "@recourse/core/reasons";
import {
  hasHandshake,
  hasResultTypes,
  type JsonObject,
  LATEST_REVISION,
  parseRevision,
  SERVER_INFO_KEY,
} from "@recourse/core/wire";
import type { PeerRequest } from "../json-rpc.ts";
import { PROMPT_METHODS, RESOURCE_METHODS } from "./content.ts";
import { LIFECYCLE_METHODS, metaVersion, NOTIFICATION_HANDLERS, SERVER_INFO } from "./lifecycle.ts";
import { createSession, type MethodContext, type MethodHandler, type PeerSession, type ServerState } from "./state.ts";
import { TOOL_METHODS } from "./tools.ts";

const METHOD_HANDLERS: Readonly<Record<string, MethodHandler>> = {
  ...LIFECYCLE_METHODS,
  ...TOOL_METHODS,
  ...RESOURCE_METHODS,
  ...PROMPT_METHODS,
};

/** Methods that the modern revision has removed. */
const REMOVED = new Set(["initialize", "ping"]);

/** Methods whose results a client of the modern revision may cache. */
const CACHEABLE = /\/list$|^server\/discover$|^resources\/read$/;

export interface TransportContext {
  /** The id of the session, if the transport names one. */
  readonly session: string | undefined;
  /** The version of the protocol, if the transport names one. */
  readonly version: string | undefined;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Sends a message before the reply. */
  readonly send: (message: JsonObject) => void;
  /** Called when the request had an effect. */
  readonly onEffect: () => void;
}

/** The session of a request. A request of the modern revision and `initialize` get a new one. */
export function sessionFor(
  state: ServerState,
  request: PeerRequest,
  { session, version }: TransportContext,
): PeerSession {
  const named = metaVersion(request);
  if (named !== undefined) {
    if (named !== LATEST_REVISION)
      throw protocol.version_unsupported({ requested: named, supported: [LATEST_REVISION] });
    if (version !== undefined && version !== named) throw protocol.header_mismatch();
    return createSession({ id: "sessionless", revision: LATEST_REVISION, phase: "ready" });
  }
  if (request.method === "initialize")
    return createSession({ id: state.nextId("session"), revision: "", phase: "initializing" });
  if (session === undefined) throw protocol.not_initialized({ phase: "pre_initialization" });
  const known = state.sessions.get(session);
  if (known === undefined) throw protocol.session_not_found();
  if (version !== undefined && version !== known.revision) throw protocol.version_mismatch();
  return known;
}

/** Carries a request out: gives its result or throws a fault. */
export async function dispatch(
  state: ServerState,
  request: PeerRequest,
  session: PeerSession,
  transport: TransportContext,
): Promise<JsonObject> {
  const cancel = new AbortController();
  const signal = AbortSignal.any([cancel.signal, transport.signal]);
  const { send, onEffect } = transport;
  const context: MethodContext = { state, session, request, signal, send, onEffect };
  if (request.id === undefined) {
    if (Object.hasOwn(NOTIFICATION_HANDLERS, request.method)) NOTIFICATION_HANDLERS[request.method]?.(context);
    return {};
  }
  const handler = handlerFor(request.method, session.revision);
  if (session.phase !== "ready" && !Object.hasOwn(LIFECYCLE_METHODS, request.method))
    throw protocol.not_initialized({ phase: "awaiting_initialized" });
  session.running.set(request.id, cancel);
  try {
    return completeResult(await handler(context), context);
  } catch (thrown) {
    throw FaultError.is(thrown) ? thrown : core.internal(undefined, { cause: thrown });
  } finally {
    session.running.delete(request.id);
  }
}

function handlerFor(method: string, revision: string): MethodHandler {
  if (!hasHandshake(parseRevision(revision)) && REMOVED.has(method)) throw protocol.method_not_found({ method });
  if (Object.hasOwn(METHOD_HANDLERS, method)) return METHOD_HANDLERS[method] as MethodHandler;
  throw protocol.method_not_found({ method });
}

/** Adds the members that the modern revision requires in every result. */
function completeResult(result: JsonObject, { session, request }: MethodContext): JsonObject {
  if (!hasResultTypes(parseRevision(session.revision))) return result;
  const caching = CACHEABLE.test(request.method) ? { ttlMs: 0, cacheScope: "private" } : {};
  return { resultType: "complete", ...caching, ...result, _meta: { [SERVER_INFO_KEY]: SERVER_INFO } };
}
