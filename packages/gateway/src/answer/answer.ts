import { amendFault, type Fault, knownKind, redactSecrets, type SecretFilter, stampFault } from "@recourse/core";
import { credentialFilter, deliverIncident, describeAnswer, incidentCause } from "@recourse/core/proxy";
import { auth } from "@recourse/core/reasons";
import { joinSecretFilters } from "@recourse/core/safety";
import type { Sink } from "@recourse/core/server";
import { hasHandshake } from "@recourse/core/wire";
import type { Call } from "../call/call.ts";
import { callerDialect } from "../call/caller.ts";
import { envelopedAnswer } from "../call/enveloped-answer.ts";
import { callerSecrets } from "../call/head.ts";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { discardRequestBody, TOO_SLOW_STATUS } from "../edge/body.ts";
import { type HttpOrigin, UNREAD_MS } from "../edge/http-origin.ts";
import { readCallFacts } from "../incidents/call-facts.ts";
import type { Admission, GatewayIncident, IncidentFacts } from "../incidents/incidents.ts";
import { encodeFault, type FaultAnswer, isGatewayIncident } from "./encode-fault.ts";
import type { ToldFailures } from "./told-failures.ts";

/** What answers need beside the call. */
export interface AnswerOptions {
  readonly observer: Pick<Observer, "traceparent" | "unexpected">;
  readonly sink: Sink<GatewayIncident>;
  /** Decides about a failure that is an incident, before its caller gets an id. */
  readonly admit: (facts: IncidentFacts) => Admission;
  /** Reports that wait for the log of an upstream. The gateway ends after them. */
  readonly reports: Set<Promise<void>>;
  /** The name of this process, for operators. */
  readonly replica: string;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
  /** Monotonic clock, in ms. */
  readonly monotonic: () => number;
  /** Begins the session of a caller of the older era, and gives its id. */
  readonly openSession: (call: Call) => string | undefined;
  /** The failures of tasks that were reported to callers. */
  readonly toldFailures: ToldFailures;
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
/** Up to here an answer is joined with its head. */
const JOINED_ANSWER = 16 * 1_024;

/** The answer if a better one could not be written. */
const LAST_RESORT_ANSWER: FaultAnswer = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: '{"jsonrpc":"2.0","error":{"code":-32603,"message":"The call failed because of an internal error."}}',
  text: "",
  wire: {},
};

/** Writes the answer of a call whose steps found nothing wrong. */
export function writeSuccess(origin: HttpOrigin, call: Call, options: AnswerOptions): void {
  const answer = call.answer && envelopedAnswer(call, call.answer);
  if (answer === undefined) {
    if (origin.stream !== undefined) origin.stream.close();
    writeHttpAnswer(origin, call.status ?? 202, {}, undefined, options);
    return;
  }
  // It is held until the caller has read it.
  call.memory?.add(answer.length);
  if (origin.stream !== undefined) {
    origin.stream.end(answer);
    return;
  }
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (call.message?.method === "initialize" && hasHandshake(call.revision)) {
    const id = options.openSession(call);
    if (id !== undefined) headers["mcp-session-id"] = id;
  }
  writeHttpAnswer(origin, 200, headers, answer, options);
}

/** Stamps a fault, reports it if it is an incident, and writes it. Gives the fault as it was sent. It never throws. */
export function writeFault(
  origin: HttpOrigin,
  call: Call,
  given: Fault,
  answerer: Answerer,
  options: AnswerOptions,
): Fault {
  const { sent, answer } = stampAndReport(origin, call, given, answerer, options);
  sendFault(origin, answer, options);
  return sent;
}

/** The same for a call that was answered with a question: its fault is for a later call, which writes it. */
export function reportHeldFault(
  origin: HttpOrigin,
  call: Call,
  given: Fault,
  answerer: Answerer,
  options: AnswerOptions,
): Fault {
  return stampAndReport(origin, call, given, answerer, options).sent;
}

/** Stamps a fault, and reports it if it is an incident. Gives it as it is to be sent. It never throws. */
export function stampAndReport(
  origin: Pick<HttpOrigin, "head" | "isBodyTooSlow">,
  call: Call,
  given: Fault,
  { config, challenge }: Answerer,
  options: AnswerOptions,
): { readonly sent: Fault; readonly answer: FaultAnswer } {
  let sent = given;
  let answer: FaultAnswer;
  try {
    if (origin.isBodyTooSlow) call.status = TOO_SLOW_STATUS;
    const atMs = options.now();
    const at = new Date(atMs).toISOString();
    // Tokens that were fetched for this call are known nowhere else.
    const secrets = joinSecretFilters(callerSecrets(origin.head), credentialFilter(call.shownTokens ?? []));
    const shown = redactSecrets(given, secrets);
    const fault = knownKind(shown) === "unauthenticated" ? auth.unauthorized.fault() : shown;
    const isReported = !call.isRepeat && isGatewayIncident(call, fault);
    const admission = isReported
      ? options.admit({ fault, atMs, cause: call.cause, ...incidentPlace(call) })
      : undefined;
    sent = call.isRepeat ? shown : stampForCaller(call, fault, { at, name: config.name, id: admission?.id }, options);
    answer = encodeFault(call, sent, { challenge, at });
    if (admission !== undefined) reportIncident(call, sent, { answer, at, secrets, admission }, options);
  } catch (error) {
    call.cause ??= incidentCause(error);
    options.observer.unexpected(error, "answer");
    answer = LAST_RESORT_ANSWER;
  }
  return { sent, answer };
}

/** Writes that the call failed, if its own answer could not be written. It never throws. */
export function writeLastResort(origin: HttpOrigin, options: AnswerOptions): void {
  const { outgoing, stream } = origin;
  try {
    if (outgoing.headersSent && stream === undefined) outgoing.destroy();
    else sendFault(origin, LAST_RESORT_ANSWER, options);
  } catch {
    outgoing.destroy();
  }
}

function sendFault(origin: HttpOrigin, answer: FaultAnswer, options: AnswerOptions): void {
  const body = Buffer.from(answer.body);
  // One without an id reaches no call, so its caller may ask again.
  if (origin.stream !== undefined) origin.stream.end(body);
  else writeHttpAnswer(origin, answer.status, answer.headers, body, options);
}

/** What a fault is stamped with. */
interface StampFacts {
  readonly at: string;
  /** The public name of the gateway. */
  readonly name: string;
  /** The id of the incident; undefined if it is not an incident. */
  readonly id: string | undefined;
}

function stampForCaller(call: Call, fault: Fault, { at, name, id }: StampFacts, { observer }: AnswerOptions): Fault {
  const isOurs = fault.origin.layer === "server" && fault.origin.name === undefined;
  // An upstream may have given an id to what is no incident here: nobody would find it.
  const isNamed = id === undefined && fault.incident !== undefined;
  return stampFault(isNamed ? amendFault(fault, { incident: undefined }) : fault, {
    incident: id,
    at: fault.at ?? at,
    trace: fault.trace ?? observer.traceparent(call),
    origin: isOurs ? { layer: "gateway", name } : fault.origin,
  });
}

/** What is known about an answer when it is reported. */
interface ReportFacts {
  readonly answer: FaultAnswer;
  readonly at: string;
  readonly secrets: SecretFilter | undefined;
  readonly admission: Admission;
}

/** Where a call went, as incidents name it. */
function incidentPlace({ route }: Call): Pick<IncidentFacts, "upstream" | "tool"> {
  if (route?.kind !== "upstream") return { upstream: undefined };
  const tool = (route.tool ?? route.task?.tool)?.name;
  return { upstream: route.upstream.options.name, ...(tool !== undefined && { tool }) };
}

function reportIncident(call: Call, fault: Fault, about: ReportFacts, options: AnswerOptions): void {
  const { answer, at, secrets, admission } = about;
  const { message, cause, route, caller } = call;
  const request = { method: message?.method ?? "edge", meta: message?.meta ?? {} };
  const endedMs = options.monotonic();
  const incident: GatewayIncident = {
    tenant: caller?.tenant,
    caller: caller?.id,
    ...incidentPlace(call),
    sentText: answer.text === "" ? undefined : answer.text,
    upstreamIncident: call.judged?.incident,
    fault,
    at,
    durationMs: Math.max(0, Math.round(endedMs - call.startedMs - call.waitedMs)),
    // What is only counted has no sample.
    ...(admission.isKept && { callFacts: readCallFacts(call, { endedMs, replica: options.replica, secrets }) }),
    ...describeAnswer(fault, answer.wire, callerDialect(call), request),
    ...(message !== undefined && { method: message.method }),
    ...(cause !== undefined && { cause }),
    ...(secrets !== undefined && { secrets }),
    admission,
  };
  const known = admission.isKept ? incident.upstreamIncident : undefined;
  const log = route?.kind === "upstream" && known !== undefined ? route.upstream.logOf?.(known) : undefined;
  if (log === undefined) {
    deliverIncident(options.sink, incident);
    return;
  }
  const reported = log
    .catch((error: unknown) => {
      options.observer.unexpected(error, "log of an upstream");
      return undefined;
    })
    .then((upstreamLog) => {
      deliverIncident(options.sink, { ...incident, upstreamLog });
      options.reports.delete(reported);
    });
  options.reports.add(reported);
}

function writeHttpAnswer(
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
  // A caller that does not read a large answer must not keep it in memory forever.
  if (body !== undefined && body.length > LARGE_ANSWER) outgoing.setTimeout(UNREAD_MS, () => outgoing.destroy());
  // Node writes a text together with the head, and bytes apart from it. One letter stands for each byte.
  if (body !== undefined && body.length <= JOINED_ANSWER) outgoing.end(body.toString("latin1"), "latin1");
  else outgoing.end(body);
  if (!incoming.complete) discardRequestBody(incoming);
}
