import { hasResultTypes, isObject, memberAt, objectAt, parseJson, stringAt } from "@recourse/wire";
import type { UpstreamRequest } from "../../call/upstream.ts";
import { editAnswer } from "../message.ts";
import { MAX_REFUSAL_BYTES, type PostAnswer, type PostResult } from "./answer.ts";
import type { HttpChannel } from "./channel.ts";
import { sessionHeaders } from "./negotiate.ts";
import type { SessionPool, UpstreamSession } from "./session-pool.ts";

interface SessionSenderOptions {
  readonly channel: HttpChannel;
  readonly sessions: SessionPool;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** How long a message that nobody waits for may take. */
const TELL_MS = 5_000;
/** A server that asks more often in one call is not answered. */
const MAX_REQUESTS = 32;

/** Sends a message within the session of its caller, and once more where the upstream has forgotten the session. */
export async function sendInSession(request: UpstreamRequest, options: SessionSenderOptions): Promise<PostResult> {
  const { sessions, now } = options;
  const deadlineMs = now() + request.timeoutMs;
  const wait = () => ({ holder: request.caller, signal: request.signal, timeoutMs: Math.max(0, deadlineMs - now()) });
  const session = await sessions.get(request.session, wait());
  if ("fault" in session) return { kind: "failed", ...session, isAbandoned: false };
  const posted = await post(request, session, wait().timeoutMs, options.channel);
  if (posted.kind === "failed" || !isSessionGone(posted, session.id !== undefined)) return posted;
  const renewed = await sessions.renew(request.session, session, wait());
  if ("fault" in renewed) return { kind: "failed", ...renewed, isAbandoned: false };
  return post(request, renewed, wait().timeoutMs, options.channel);
}

async function post(
  request: UpstreamRequest,
  session: UpstreamSession,
  timeoutMs: number,
  channel: HttpChannel,
): Promise<PostResult> {
  const { method, params, signal, onNotification } = request;
  const headers = sessionHeaders(session);
  if (request.traceparent !== undefined) headers.push("traceparent", request.traceparent);
  const id = request.id === undefined ? undefined : session.nextId();
  let asked = 0;
  const onRequest = (message: Buffer) => {
    asked += 1;
    const response = asked > MAX_REQUESTS ? undefined : refuseServerRequest(message);
    if (response !== undefined) channel.tell(headers, response, TELL_MS);
  };
  const isSession = session.id !== undefined;
  const posted = await channel.post({
    headers,
    method,
    id,
    params,
    timeoutMs,
    holder: request.caller,
    signal,
    onNotification,
    onRequest,
    isSession,
  });
  if (id === undefined || request.id === undefined) return posted;
  if (posted.kind === "failed") {
    if (posted.isAbandoned) channel.tell(headers, cancelNotification(id), TELL_MS);
    return posted;
  }
  if (posted.envelope === undefined) return posted;
  const typed = hasResultTypes(request.revision);
  return { ...posted, body: editAnswer(posted.body, posted.envelope, { id: request.id, typed }) };
}

/** The answer to a request of the server: the gateway has no capabilities, but it is there. */
function refuseServerRequest(bytes: Buffer): string | undefined {
  const message = parseJson(bytes.toString());
  if (!isObject(message)) return undefined;
  const id = memberAt(message, "id");
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  if (message["method"] === "ping") return JSON.stringify({ jsonrpc: "2.0", id, result: {} });
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });
}

function cancelNotification(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"no longer waited for"}}`;
}

/** What servers say to a message whose session they do not know, beside the status that the protocol gives for it. */
const ABOUT_SESSION = /\bsession\b|not initiali[sz]ed/i;
const METHOD_NOT_FOUND = -32_601;

/** Whether an upstream refused a message because it does not know its session. Such a message was not served. */
function isSessionGone({ status, body }: PostAnswer, hasSession: boolean): boolean {
  if ((status !== 404 && status !== 400) || body.length > MAX_REFUSAL_BYTES) return false;
  const message = parseJson(body.toString());
  const error = isObject(message) ? objectAt(message, "error") : undefined;
  if (status === 404 && hasSession) return memberAt(error, "code") !== METHOD_NOT_FOUND;
  return ABOUT_SESSION.test(stringAt(error, "message") ?? "");
}
