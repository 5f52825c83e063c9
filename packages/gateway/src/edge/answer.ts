import {
  auth,
  type Fault,
  formatId,
  knownKind,
  redactSecrets,
  type SecretFilter,
  shouldReport,
  stampFault,
} from "@recourse/faults";
import { answerFacts, causeOf, deliver, LATEST_REVISION, randomBytes } from "@recourse/faults/internal-do-not-use";
import type { Sink } from "@recourse/faults/server";
import type { GatewayConfig } from "../config/types.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";
import { valuesOf } from "../json/members.ts";
import { withMetaMember } from "../json/meta-member.ts";
import { skipSpace } from "../json/skip.ts";
import type { Call } from "../pipeline/call.ts";
import { dialectOf } from "../pipeline/caller-dialect.ts";
import type { Observer } from "../telemetry/observer.ts";
import { discardBody, TOO_SLOW_STATUS } from "./body.ts";
import { callerSecrets } from "./caller-secrets.ts";
import { encodeFault, type FaultAnswer } from "./encode-fault.ts";
import type { HttpOrigin } from "./http-origin.ts";

/** What answers need beside the call. */
export interface AnswerOptions {
  readonly observer: Pick<Observer, "traceOf">;
  readonly sink: Sink<GatewayIncident>;
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
/** How long a connection may stand still while an answer is written. */
const UNREAD_MS = 60_000;

/** The answer where writing a better one failed. */
const LAST_RESORT =
  '{"jsonrpc":"2.0","error":{"code":-32603,"message":"The call failed because of an internal error."}}';

/** Writes the answer of a call whose steps found nothing wrong. */
export function writeSuccess(origin: HttpOrigin, call: Call, options: AnswerOptions): void {
  const answer = enveloped(call);
  if (answer === undefined) {
    write(origin, 202, {}, undefined, options);
    return;
  }
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
    const at = new Date(options.now()).toISOString();
    const secrets = callerSecrets(origin.head);
    const shown = redactSecrets(given, secrets);
    sent = call.isRepeat ? shown : stamped(call, shown, { at, name: config.name }, options);
    answer = encodeFault(call, sent, { challenge, at });
    if (sent.incident !== undefined && !call.isRepeat) report(call, sent, { answer, at, secrets }, options);
  } catch (error) {
    call.cause ??= causeOf(error);
    answer = { status: 500, headers: { "content-type": "application/json" }, body: LAST_RESORT, text: "", wire: {} };
  }
  const body = Buffer.from(answer.body);
  if (origin.stream !== undefined) origin.stream.end(body);
  else write(origin, answer.status, answer.headers, body, options);
  return sent;
}

function stamped(
  call: Call,
  given: Fault,
  { at, name }: { readonly at: string; readonly name: string },
  { observer, now }: AnswerOptions,
): Fault {
  // Refused credentials are one constant fault, whatever refused them and why.
  const isRefusal = knownKind(given) === "unauthenticated";
  const fault = isRefusal ? auth.unauthorized.fault() : given;
  const isReported = !isRefusal && !call.isRefused && shouldReport(fault, { textHidden: call.textHidden });
  const isOurs = fault.origin.layer === "server" && fault.origin.name === undefined;
  return stampFault(fault, {
    // An upstream whose faults are taken over as a whole keeps its id, so that one id finds the failure in every log.
    incident: isReported ? (fault.incident ?? formatId(now(), randomBytes())) : undefined,
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
}

function report(call: Call, fault: Fault, { answer, at, secrets }: Reported, options: AnswerOptions): void {
  const { message, cause, route, caller } = call;
  const tool = route?.kind === "upstream" ? route.tool?.name : undefined;
  const request = { method: message?.method ?? "edge", meta: message?.meta ?? {} };
  const incident: GatewayIncident = {
    tenant: caller?.tenant,
    caller: caller?.id,
    upstream: route?.kind === "upstream" ? route.upstream.options.name : undefined,
    told: answer.text,
    upstreamIncident: call.judged?.incident,
    fault,
    at,
    durationMs: Math.max(0, Math.round(options.monotonic() - call.startedMs)),
    ...answerFacts(fault, answer.wire, dialectOf(call), request),
    ...(message !== undefined && { method: message.method }),
    ...(tool !== undefined && { tool }),
    ...(cause !== undefined && { cause }),
    ...(secrets !== undefined && { secrets }),
  };
  const { upstreamIncident: known } = incident;
  const log = route?.kind === "upstream" && known !== undefined ? route.upstream.logOf?.(known) : undefined;
  if (log === undefined) {
    deliver(options.sink, incident);
    return;
  }
  const reported = log.then((upstreamLog) => {
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
