// The begin of a session, the revisions of the protocol, and the client's notifications.

import { protocol } from "@recourse/core/reasons";
import {
  FAULTS_EXTENSION,
  HANDSHAKE_VERSIONS,
  type JsonObject,
  LATEST_REVISION,
  memberAt,
  stringAt,
  VERSION_KEY,
} from "@recourse/core/wire";
import { type PeerRequest, type RequestId, readPeerRequestId } from "../json-rpc.ts";
import { createSession, type MethodContext, type MethodHandler, type ServerState } from "./state.ts";

export const SERVER_INFO = { name: "misbehaving-peer", version: "1.0.0" } as const;

/** The version in the `_meta` of a request; only the modern revision has it. */
export function metaVersion(request: PeerRequest): string | undefined {
  return stringAt(request.meta, VERSION_KEY);
}

/** The capabilities of the server. The faults extension is announced only if keys are honoured. */
function peerCapabilities(state: ServerState): JsonObject {
  return {
    tools: {},
    resources: {},
    prompts: {},
    ...(state.idempotency && { extensions: { [FAULTS_EXTENSION]: { v: 1, keys: true } } }),
  };
}

/** Agrees on a revision. */
const beginSession: MethodHandler = ({ state, session, request }) => {
  const requested = stringAt(request.params, "protocolVersion") ?? "";
  if (!HANDSHAKE_VERSIONS.includes(requested))
    throw protocol.version_unsupported({ requested, supported: HANDSHAKE_VERSIONS });
  state.sessions.set(session.id, createSession({ id: session.id, revision: requested, phase: "initializing" }));
  return { protocolVersion: requested, capabilities: peerCapabilities(state), serverInfo: SERVER_INFO };
};

/** Gives a client of the modern revision what others learn from `initialize`. */
const describeServer: MethodHandler = ({ state }) => ({
  supportedVersions: [LATEST_REVISION],
  capabilities: peerCapabilities(state),
});

export const LIFECYCLE_METHODS = {
  initialize: beginSession,
  "server/discover": describeServer,
  ping: () => ({}),
} as const satisfies Record<string, MethodHandler>;

type NotificationHandler = (context: MethodContext) => void;

const markReady: NotificationHandler = ({ session }) => {
  session.phase = "ready";
};

/** Aborts the request that the client names, if it is still running. */
const cancelRequest: NotificationHandler = ({ session, request }) => {
  const id = readPeerRequestId({ id: memberAt(request.params, "requestId") }) as RequestId;
  session.running.get(id)?.abort(stringAt(request.params, "reason"));
};

/** The notifications that the server handles. All others are ignored. */
export const NOTIFICATION_HANDLERS: Readonly<Record<string, NotificationHandler>> = {
  "notifications/initialized": markReady,
  "notifications/cancelled": cancelRequest,
} satisfies Record<string, NotificationHandler>;
