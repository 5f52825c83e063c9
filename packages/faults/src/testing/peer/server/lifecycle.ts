// The begin of a session, the revisions of the protocol, and the client's notifications.
import { VERSION_KEY } from "../../../dialects/mcp/table.ts";
import { FAULTS_EXTENSION } from "../../../json/names.ts";
import { type JsonObject, memberAt, objectAt, stringAt } from "../../../json/read.ts";
import { invalid_token, token_expired } from "../../../reasons/library/progress.ts";
import { negotiation_failed, version_unsupported } from "../../../reasons/library/protocol.ts";
import { type PeerRequest, type RequestId, requestIdOf } from "../json-rpc.ts";
import { createSession, type MethodContext, type MethodHandler, type ServerState } from "./state.ts";

/** Revisions that begin with `initialize`. */
const LEGACY_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
/** The revision without sessions, in which every request names version and capabilities in `_meta`. */
export const MODERN_REVISION = "2026-07-28";

export const CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

/** The name and version of the server. */
export const SERVER_INFO = { name: "misbehaving-peer", version: "1.0.0" } as const;

/** The version in the `_meta` of a request; only the modern revision has it. */
export function metaVersion(request: PeerRequest): string | undefined {
  return stringAt(request.meta, VERSION_KEY);
}

/** The capabilities of the server. The faults extension is announced only where keys are honoured. */
function capabilitiesOf(state: ServerState): JsonObject {
  return {
    tools: { listChanged: true },
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    ...(state.idempotency && { extensions: { [FAULTS_EXTENSION]: { v: 1, keys: true } } }),
  };
}

/** Agrees on a revision, and on the extensions that the client requires. */
const initialize: MethodHandler = ({ state, session, request }) => {
  const requested = stringAt(request.params, "protocolVersion") ?? "";
  if (!(LEGACY_REVISIONS as readonly string[]).includes(requested))
    throw version_unsupported({ requested, supported: LEGACY_REVISIONS });
  const capabilities = objectAt(request.params, "capabilities") ?? {};
  const wanted = Object.entries(objectAt(capabilities, "extensions") ?? {});
  const offered = objectAt(capabilitiesOf(state), "extensions") ?? {};
  if (wanted.some(([name, terms]) => memberAt(terms, "required") === true && !Object.hasOwn(offered, name)))
    throw negotiation_failed();
  state.sessions.set(
    session.id,
    createSession({ id: session.id, revision: requested, capabilities, phase: "initializing" }),
  );
  return { protocolVersion: requested, capabilities: capabilitiesOf(state), serverInfo: SERVER_INFO };
};

/** Gives a client of the modern revision what others learn from `initialize`. */
const discover: MethodHandler = ({ state }) => ({
  supportedVersions: [MODERN_REVISION],
  capabilities: capabilitiesOf(state),
});

export const LIFECYCLE_METHODS = {
  initialize,
  "server/discover": discover,
  ping: () => ({}),
} as const satisfies Record<string, MethodHandler>;

type NotificationHandler = (context: MethodContext) => void;

/** Marks the session as ready. */
const initialized: NotificationHandler = ({ session }) => {
  session.phase = "ready";
};

/** Aborts the request that the client names, if it is still running. */
const cancelled: NotificationHandler = ({ session, request }) => {
  const id = requestIdOf({ id: memberAt(request.params, "requestId") }) as RequestId;
  session.running.get(id)?.abort(stringAt(request.params, "reason"));
};

/** Checks the token of a progress report. */
const progress: NotificationHandler = ({ state, request }) => {
  const token = memberAt(request.params, "progressToken");
  const status = state.progressTokens.get(String(token));
  if (status === undefined) throw invalid_token(typeof token === "string" ? { progressToken: token } : {});
  if (status === "ended") throw token_expired();
};

/** The notifications that the server handles. All others are ignored. */
export const NOTIFICATION_HANDLERS: Readonly<Record<string, NotificationHandler>> = {
  "notifications/initialized": initialized,
  "notifications/cancelled": cancelled,
  "notifications/progress": progress,
} satisfies Record<string, NotificationHandler>;
