// The begin of a session, the revisions of the protocol, and the client's notifications.

import { auth, FaultError, progress as progressReasons, protocol, task as taskReasons } from "@recourse/faults";
import {
  FAULTS_EXTENSION,
  HANDSHAKE_VERSIONS,
  type JsonObject,
  LATEST_REVISION,
  memberAt,
  objectAt,
  stringAt,
  VERSION_KEY,
} from "@recourse/wire";
import { untilAborted, withTimeout } from "../clock.ts";
import { type PeerRequest, type RequestId, readPeerRequestId } from "../json-rpc.ts";
import {
  createSession,
  type MethodContext,
  type MethodHandler,
  type PeerTask,
  type Principal,
  type ServerState,
} from "./state.ts";

/** The name and version of the server. */
export const SERVER_INFO = { name: "misbehaving-peer", version: "1.0.0" } as const;

/** The version in the `_meta` of a request; only the modern revision has it. */
export function metaVersion(request: PeerRequest): string | undefined {
  return stringAt(request.meta, VERSION_KEY);
}

/** The capabilities of the server. The faults extension is announced only if keys are honoured. */
function peerCapabilities(state: ServerState): JsonObject {
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
const beginSession: MethodHandler = ({ state, session, request }) => {
  const requested = stringAt(request.params, "protocolVersion") ?? "";
  if (!HANDSHAKE_VERSIONS.includes(requested))
    throw protocol.version_unsupported({ requested, supported: HANDSHAKE_VERSIONS });
  const capabilities = objectAt(request.params, "capabilities") ?? {};
  const wanted = Object.entries(objectAt(capabilities, "extensions") ?? {});
  const offered = objectAt(peerCapabilities(state), "extensions") ?? {};
  if (wanted.some(([name, terms]) => memberAt(terms, "required") === true && !Object.hasOwn(offered, name)))
    throw protocol.negotiation_failed();
  state.sessions.set(
    session.id,
    createSession({ id: session.id, revision: requested, capabilities, phase: "initializing" }),
  );
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

/** Marks the session as ready. */
const markReady: NotificationHandler = ({ session }) => {
  session.phase = "ready";
};

/** Aborts the request that the client names, if it is still running. */
const cancelRequest: NotificationHandler = ({ session, request }) => {
  const id = readPeerRequestId({ id: memberAt(request.params, "requestId") }) as RequestId;
  session.running.get(id)?.abort(stringAt(request.params, "reason"));
};

/** Checks the token of a progress report. */
const checkProgress: NotificationHandler = ({ state, request }) => {
  const token = memberAt(request.params, "progressToken");
  const status = state.progressTokens.get(String(token));
  if (status === undefined)
    throw progressReasons.invalid_token(typeof token === "string" ? { progressToken: token } : {});
  if (status === "ended") throw progressReasons.token_expired();
};

/** The notifications that the server handles. All others are ignored. */
export const NOTIFICATION_HANDLERS: Readonly<Record<string, NotificationHandler>> = {
  "notifications/initialized": markReady,
  "notifications/cancelled": cancelRequest,
  "notifications/progress": checkProgress,
} satisfies Record<string, NotificationHandler>;

const ANONYMOUS: Principal = { roles: [], permissions: [] };
const ADMINISTRATOR: Principal = { roles: ["admin"], permissions: ["read:protected"] };

/** The bearer tokens that the server knows. */
const TOKENS: Readonly<Record<string, (state: ServerState) => Principal>> = {
  admin: () => ADMINISTRATOR,
  expiring(state) {
    const expiredAt = state.startedAt + state.limits.tokenMs;
    if (state.clock.now() >= expiredAt) throw auth.token_expired({ expiredAt: Math.floor(expiredAt / 1_000) * 1_000 });
    return ANONYMOUS;
  },
  suspended() {
    throw auth.access_denied();
  },
};

/** Name and password of the only account. */
const ACCOUNT = "user:correct-horse";

/** The caller of a request. No credentials mean an anonymous caller; wrong credentials are refused. */
export function authenticate(authorization: string | undefined, state: ServerState): Principal {
  if (authorization === undefined) return ANONYMOUS;
  const [scheme = "", value = ""] = authorization.split(" ");
  if (scheme.toLowerCase() === "basic") {
    if (atob(value) !== ACCOUNT) throw auth.invalid_credentials();
    return ANONYMOUS;
  }
  const known = Object.hasOwn(TOKENS, value) ? TOKENS[value] : undefined;
  if (known === undefined) throw auth.failed({ reason: "invalid_token" });
  return known(state);
}

/** Throws when a caller lacks the role of an operation. */
export function requireRole(principal: Principal, role: string | undefined, operation: string): void {
  if (role !== undefined && !principal.roles.includes(role))
    throw auth.not_authorized({ operation, requiredRole: role });
}

// Tool calls that run as tasks, and the methods `tasks/…`.

/** Starts a task and returns its description at once. */
export function startTask(state: ServerState, run: (signal: AbortSignal) => Promise<JsonObject>): JsonObject {
  const id = state.nextId("task");
  const stop = new AbortController();
  const { taskMs } = state.limits;
  const timeoutError = () => taskReasons.timeout({ taskId: id, timeoutMs: taskMs });
  const ran = withTimeout(taskMs, { signal: stop.signal, timeoutError }, async (signal) => {
    const result = await Promise.race([run(signal), untilAborted(stop.signal)]);
    if (stop.signal.aborted || result === undefined) throw taskReasons.cancelled({ taskId: id });
    return result;
  });
  const outcome = ran.catch((thrown: unknown) => {
    throw thrown instanceof FaultError && thrown.fault.reason.startsWith("task/") ? thrown : taskFailure(id, thrown);
  });
  const task: PeerTask = { id, createdAt: state.clock.now(), status: "working", stop, outcome };
  outcome.then(
    () => {
      task.status = "completed";
    },
    () => {
      task.status = stop.signal.aborted ? "cancelled" : "failed";
    },
  );
  state.tasks.set(id, task);
  return { task: describeTask(task) };
}

/** The fault of a task whose tool failed. */
function taskFailure(taskId: string, thrown: unknown): FaultError {
  const reason = FaultError.is(thrown) ? thrown.fault.params?.["reason"] : undefined;
  return taskReasons.failed({ taskId, ...(typeof reason === "string" && { reason }) });
}

function describeTask({ id, status, createdAt }: PeerTask): JsonObject {
  const at = new Date(createdAt).toISOString();
  return { taskId: id, status, createdAt: at, lastUpdatedAt: at, ttl: null };
}

function findTask({ state, request }: MethodContext): PeerTask {
  const taskId = stringAt(request.params, "taskId") ?? "";
  const task = state.tasks.get(taskId);
  if (task === undefined) throw taskReasons.not_found({ taskId });
  return task;
}

export const TASK_METHODS = {
  "tasks/get": (context) => describeTask(findTask(context)),
  "tasks/list": ({ state }) => ({ tasks: [...state.tasks.values()].map(describeTask) }),
  "tasks/result": (context) => findTask(context).outcome,
  async "tasks/cancel"(context) {
    const task = findTask(context);
    task.stop.abort();
    await task.outcome.catch(() => undefined);
    return describeTask(task);
  },
  // An older, experimental form of `tasks/get` that answers with its own error code.
  "experimental/tasks/get": (context) => describeTask(findTask(context)),
} as const satisfies Record<string, MethodHandler>;
