import { auth, type Fault, knownKind, redactSecrets, type SecretFilter, stampFault } from "@recourse/faults";
import { amendFault, answerFacts, causeOf, deliver, LATEST_REVISION } from "@recourse/faults/internal-do-not-use";
import type { Sink } from "@recourse/faults/server";
import type { GatewayConfig } from "../config/types.ts";
import type { Admission, GatewayIncident, IncidentFacts } from "../incidents/incidents.ts";
import { valuesOf } from "../json/members.ts";
import { withMetaMember } from "../json/meta-member.ts";
import { skipSpace } from "../json/skip.ts";
import type { Call } from "../pipeline/call.ts";
import { dialectOf } from "../pipeline/caller-dialect.ts";
import type { Observer } from "../telemetry/observer.ts";
import { discardBody, TOO_SLOW_STATUS } from "./body.ts";
import { callerSecrets } from "./caller-secrets.ts";
import { encodeFault, type FaultAnswer } from "./encode-fault.ts";
import { UNREAD_MS } from "./event-stream.ts";
import type { HttpOrigin } from "./http-origin.ts";
import { isIncident } from "./is-incident.ts";

/** What answers need beside the call. */
export interface AnswerOptions {
  readonly observer: Pick<Observer, "traceOf" | "unexpected">;
  readonly sink: Sink<GatewayIncident>;
  /** Decides about a failure that is an incident, before its caller is told an id. */
  readonly admit: (facts: IncidentFacts) => Admission;
  /** Reports that wait for the log of an upstream. The gateway ends after them. */
  readonly reports: Set<Promise<void>>;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
  /** Monotonic clock, in ms. */
  readonly monotonic: () => number;
  /** A new id for the session of a caller of the older era. */
  readonly sessionId: () => string;
  /** The connection is to be closed after the answer. */
  readonly isClosing: () => boolean;
}

/** What the answers of one configuration have in common. */
export interface Answerer {
  readonly config: Pick<GatewayConfig, "name">;
  /** `WWW-Authenticate` for the faults that need it. */
  readonly challenge: (fault: Fault) => string | undefined;
}

const LARGE_ANSWER = 64 * 1_024;

/** The answer where writing a better one failed. */
const LAST_RESORT: FaultAnswer = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: '{"jsonrpc":"2.0","error":{"code":-32603,"message":"The call failed because of an internal error."}}',
  text: "",
  wire: {},
};

/** Writes the answer of a call whose steps found nothing wrong. */
export function writeSuccess(origin: HttpOrigin, call: Call, options: AnswerOptions): void {
  const answer = enveloped(call);
  if (answer === undefined) {
    write(origin, 202, {}, undefined, options);
    return;
  }
  // It is held until the caller has read it.
  call.memory?.add(answer.length);
  if (origin.stream !== undefined) {
    origin.stream.end(answer);
    return;
  }
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (call.message?.method === "initialize" && call.revision !== LATEST_REVISION) {
    headers["mcp-session-id"] = options.sessionId();
  }
  write(origin, 200, headers, answer, options);
}

/** The answer, with the envelope of a success where the dialect of the caller has one for every call. */
function enveloped(call: Call): Buffer | undefined {
  const { answer, message } = call;
  const envelope = message?.method === "tools/call" ? dialectOf(call)?.envelope : undefined;
  if (answer === undefined || envelope === undefined) return answer;
  const result = valuesOf(answer, skipSpace(answer, 0), "result").at(-1);
  return result === undefined ? answer : withMetaMember(answer, result.start, envelope.success);
}

/** Stamps a fault, reports it where it is an incident, and writes it. Gives the fault as it was sent. It never throws. */
export function writeFault(
  origin: HttpOrigin,
  call: Call,
  given: Fault,
  { config, challenge }: Answerer,
  options: AnswerOptions,
): Fault {
  let sent = given;
  let answer: FaultAnswer;
  try {
    if (origin.isBodyTooSlow) call.status = TOO_SLOW_STATUS;
    const atMs = options.now();
    const at = new Date(atMs).toISOString();
    const secrets = callerSecrets(origin.head);
    const shown = redactSecrets(given, secrets);
    const fault = knownKind(shown) === "unauthenticated" ? auth.unauthorized.fault() : shown;
    const isReported = !call.isRepeat && isIncident(call, fault);
    const admission = isReported ? options.admit({ fault, atMs, cause: call.cause, ...placeOf(call) }) : undefined;
    sent = call.isRepeat ? shown : stamped(call, fault, { at, name: config.name, id: admission?.id }, options);
    answer = encodeFault(call, sent, { challenge, at });
    if (admission !== undefined) report(call, sent, { answer, at, secrets, admission }, options);
  } catch (error) {
    call.cause ??= causeOf(error);
    options.observer.unexpected(error, "answer");
    answer = LAST_RESORT;
  }
  send(origin, answer, options);
  return sent;
}

/** Writes that the call failed, where writing its own answer failed. It never throws. */
export function writeLastResort(origin: HttpOrigin, options: AnswerOptions): void {
  const { outgoing, stream } = origin;
  try {
    if (outgoing.headersSent && stream === undefined) outgoing.destroy();
    else send(origin, LAST_RESORT, options);
  } catch {
    outgoing.destroy();
  }
}

function send(origin: HttpOrigin, answer: FaultAnswer, options: AnswerOptions): void {
  const body = Buffer.from(answer.body);
  if (origin.stream !== undefined) origin.stream.end(body);
  else write(origin, answer.status, answer.headers, body, options);
}

/** What a fault is stamped with. */
interface Stamped {
  readonly at: string;
  /** The public name of the gateway. */
  readonly name: string;
  /** The id of the incident; undefined where it is none. */
  readonly id: string | undefined;
}

function stamped(call: Call, fault: Fault, { at, name, id }: Stamped, { observer }: AnswerOptions): Fault {
  const isOurs = fault.origin.layer === "server" && fault.origin.name === undefined;
  // An upstream may have given an id to what is no incident here: nobody would find it.
  return stampFault(id === undefined ? amendFault(fault, { incident: undefined }) : fault, {
    incident: id,
    at: fault.at ?? at,
    trace: fault.trace ?? observer.traceOf(call),
    origin: isOurs ? { layer: "gateway", name } : fault.origin,
  });
}

/** What is known about an answer when it is reported. */
interface Reported {
  readonly answer: FaultAnswer;
  readonly at: string;
  readonly secrets: SecretFilter | undefined;
  readonly admission: Admission;
}

/** Where a call went, as incidents name it. */
function placeOf({ route }: Call): Pick<IncidentFacts, "upstream" | "tool"> {
  if (route?.kind !== "upstream") return { upstream: undefined };
  const tool = route.tool?.name;
  return { upstream: route.upstream.options.name, ...(tool !== undefined && { tool }) };
}

function report(call: Call, fault: Fault, about: Reported, options: AnswerOptions): void {
  const { answer, at, secrets, admission } = about;
  const { message, cause, route, caller } = call;
  const request = { method: message?.method ?? "edge", meta: message?.meta ?? {} };
  const incident: GatewayIncident = {
    tenant: caller?.tenant,
    caller: caller?.id,
    ...placeOf(call),
    told: answer.text,
    upstreamIncident: call.judged?.incident,
    fault,
    at,
    durationMs: Math.max(0, Math.round(options.monotonic() - call.startedMs)),
    ...answerFacts(fault, answer.wire, dialectOf(call), request),
    ...(message !== undefined && { method: message.method }),
    ...(cause !== undefined && { cause }),
    ...(secrets !== undefined && { secrets }),
    admission,
  };
  const known = admission.isKept ? incident.upstreamIncident : undefined;
  const log = route?.kind === "upstream" && known !== undefined ? route.upstream.logOf?.(known) : undefined;
  if (log === undefined) {
    deliver(options.sink, incident);
    return;
  }
  const reported = log
    .catch((error: unknown) => {
      options.observer.unexpected(error, "log of an upstream");
      return undefined;
    })
    .then((upstreamLog) => {
      deliver(options.sink, { ...incident, upstreamLog });
      options.reports.delete(reported);
    });
  options.reports.add(reported);
}

function write(
  origin: HttpOrigin,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer | undefined,
  { isClosing }: AnswerOptions,
): void {
  const { outgoing, incoming } = origin;
  if (outgoing.destroyed || outgoing.headersSent) return;
  // One list of names and values costs less than a call for each header.
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] ?? "");
  list.push("content-length", String(body?.length ?? 0));
  if (isClosing() || origin.isBodyUnasked || origin.isBodyTooSlow) list.push("connection", "close");
  outgoing.writeHead(status, list);
  // A caller that does not read a large answer must not keep it in memory for ever.
  if (body !== undefined && body.length > LARGE_ANSWER) outgoing.setTimeout(UNREAD_MS, () => outgoing.destroy());
  outgoing.end(body);
  if (!incoming.complete) discardBody(incoming);
}
