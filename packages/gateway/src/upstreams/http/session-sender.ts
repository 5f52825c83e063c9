import { transport } from "@recourse/core/reasons";
import {
  hasResultTypes,
  isObject,
  memberAt,
  objectAt,
  parseJson,
  race,
  sleep,
  stringAt,
  TIMED_OUT,
} from "@recourse/core/wire";
import { toSignal } from "../../call/ending.ts";
import { refusedRequest } from "../../call/server-request.ts";
import type { UpstreamRequest } from "../../call/upstream.ts";
import { CallQuestions, MAX_QUESTIONS } from "../call-questions.ts";
import { type Envelope, editAnswer, newerMembers, UNSENT_BY_GATEWAY } from "../message.ts";
import { ServerRequests } from "../server-requests.ts";
import { MAX_REFUSAL_BYTES, type PostAnswer, type PostResult } from "./answer.ts";
import type { HttpChannel } from "./channel.ts";
import { sessionHeaders } from "./negotiate.ts";
import type { SessionPool, UpstreamSession } from "./session-pool.ts";
import type { SessionStreams } from "./session-streams.ts";

interface SessionSenderOptions {
  readonly channel: HttpChannel;
  readonly sessions: SessionPool;
  readonly streams: SessionStreams;
  readonly hasLogLevels: boolean;
  /** Sends the answer to a request of the upstream in its session. It never rejects. */
  readonly reply: (session: UpstreamSession, message: Buffer, channel: HttpChannel) => Promise<void>;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

const TELL_MS = 5_000;
const SET_LEVEL_MS = 2_000;

/** Sends a message within the session of its caller, and once more if the upstream has forgotten the session. */
export async function sendInSession(request: UpstreamRequest, options: SessionSenderOptions): Promise<PostResult> {
  const { sessions, now } = options;
  const deadlineMs = now() + request.timeoutMs;
  const wait = () => ({
    holder: request.caller,
    signal: toSignal(request.signal),
    timeoutMs: Math.max(0, deadlineMs - now()),
    abilities: request.abilities,
    subjectToken: request.subjectToken,
  });
  if (request.id === undefined) return tellInSession(request, await sessions.find(request.session, wait()), options);
  const session = await sessions.get(request.session, wait());
  if ("fault" in session) return { kind: "failed", ...session, isAbandoned: false };
  const posted = await post(request, session, deadlineMs, options);
  if (posted.kind === "failed" || !isSessionGone(posted, session.id !== undefined)) return posted;
  const renewed = await sessions.renew(request.session, session, wait());
  if ("fault" in renewed) return { kind: "failed", ...renewed, isAbandoned: false };
  return post(request, renewed, deadlineMs, options);
}

/** Sends a notification. It is about a session that is open, or about nothing. */
async function tellInSession(
  { method, params, timeoutMs, signal, caller }: UpstreamRequest,
  session: Awaited<ReturnType<SessionPool["find"]>>,
  { channel }: SessionSenderOptions,
): Promise<PostResult> {
  if (session === undefined) return TOLD_NOBODY;
  if ("fault" in session) return { kind: "failed", ...session, isAbandoned: false };
  const headers = sessionHeaders(session);
  return channel.post({ headers, method, id: undefined, params, timeoutMs, holder: caller, signal });
}

const TOLD_NOBODY: PostAnswer = {
  kind: "answer",
  status: 202,
  headers: {},
  body: Buffer.alloc(0),
  envelope: undefined,
};

async function post(
  request: UpstreamRequest,
  session: UpstreamSession,
  deadlineMs: number,
  options: SessionSenderOptions,
): Promise<PostResult> {
  const { onRequest, onNotification, logLevel } = request;
  const { streams, now } = options;
  // What has no id is shared by callers, each with its own credential.
  if (session.id !== undefined) session.channel = options.channel.beside();
  if (logLevel !== undefined && logLevel !== session.logLevel) {
    await setLevel(logLevel, request, session, deadlineMs, options);
    if (now() >= deadlineMs) return NOT_SENT;
  }
  const isPlain = onRequest === undefined && logLevel === undefined && !streams.has(request.session);
  if (isPlain) return postOne(request, session, deadlineMs - now(), undefined, options);
  const questions = onRequest === undefined ? undefined : new CallQuestions(onRequest);
  const call = { questions, onNotification };
  // Servers that ask on the stream of the session lose what they ask while it is not open.
  const opening = streams.enter(request.session, session, call);
  try {
    if (opening !== undefined) {
      const waited = await race(opening, { signal: toSignal(request.signal), ms: deadlineMs - now(), sleep });
      if (waited === TIMED_OUT) return NOT_SENT;
    }
    return await postOne(request, session, deadlineMs - now(), questions, options);
  } finally {
    streams.leave(request.session, call);
    questions?.end();
  }
}

async function postOne(
  request: UpstreamRequest,
  session: UpstreamSession,
  timeoutMs: number,
  questions: CallQuestions | undefined,
  { channel, reply }: SessionSenderOptions,
): Promise<PostResult> {
  const { method, params, signal, onNotification } = request;
  const headers = sessionHeaders(session);
  if (request.traceparent !== undefined) headers.push("traceparent", request.traceparent);
  const id = session.nextId();
  let requests: ServerRequests | undefined;
  const isSession = session.id !== undefined;
  const posted = await channel.post({
    headers,
    method,
    id,
    params,
    timeoutMs,
    holder: request.caller,
    signal,
    onNotification:
      questions === undefined
        ? onNotification
        : (message) => {
            if (requests?.withdraw(message) !== true) onNotification(message);
          },
    onRequest(message: Buffer, envelope: Envelope) {
      requests ??= new ServerRequests({
        ask: (asked, withdrawn) => questions?.ask(asked, withdrawn) ?? refusedRequest(CANNOT_BE_ASKED),
        reply: (answer) => reply(session, answer, channel),
        maxOpen: MAX_QUESTIONS,
      });
      requests.take(message, envelope);
    },
    onClock:
      questions === undefined
        ? undefined
        : (clock) => {
            questions.clock = clock;
          },
    isSession,
  });
  if (request.id === undefined) return posted;
  if (posted.kind === "failed") {
    if (posted.isAbandoned) channel.tell(headers, cancelNotification(id), TELL_MS);
    return posted;
  }
  if (posted.envelope === undefined) return posted;
  const added = hasResultTypes(request.revision) ? newerMembers(request.method) : undefined;
  return { ...posted, body: editAnswer(posted.body, posted.envelope, { id: request.id, added }) };
}

/** The time was over before the message could be sent. */
const NOT_SENT: PostResult = {
  kind: "failed",
  fault: transport.not_sent.fault({}, UNSENT_BY_GATEWAY),
  cause: undefined,
  isAbandoned: false,
};
const CANNOT_BE_ASKED = "The caller cannot be asked.";

async function setLevel(
  level: string,
  { caller, signal }: UpstreamRequest,
  session: UpstreamSession,
  deadlineMs: number,
  { channel, hasLogLevels, now }: SessionSenderOptions,
): Promise<void> {
  // Without sessions, it would be the level of all callers.
  if (!hasLogLevels || session.id === undefined) return;
  session.logLevel = level;
  const params = Buffer.from(JSON.stringify({ level }));
  const timeoutMs = Math.min(SET_LEVEL_MS, deadlineMs - now());
  const setting = { method: "logging/setLevel", id: session.nextId(), params, timeoutMs };
  await channel.post({ headers: sessionHeaders(session), ...setting, holder: caller, signal });
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
