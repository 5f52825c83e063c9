import type { Revision } from "../../dialects/mcp/revision.ts";
import { stringAt } from "../../dialects/wire.ts";
import type { Fault, Origin } from "../../fault/fault.ts";
import { formatId } from "../../fault/id.ts";
import { knownKind } from "../../fault/kinds.ts";
import { stamp } from "../../fault/stamp.ts";
import { withhold } from "../../fault/withhold.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { type Incident, stderrSink, tell } from "../incidents/incident.ts";
import { randomBytes } from "../incidents/random.ts";
import { type Answer, answerFor, statusOf } from "./answer.ts";
import { challengeFor } from "./challenge.ts";
import { type Exchange, metaOf, methodOf, type Refusal, toolOf } from "./exchange.ts";
import { revisionFor } from "./revision.ts";
import { secretsOf } from "./secrets.ts";

/** The last net: what is said when saying anything better failed. */
const LAST = '{"jsonrpc":"2.0","error":{"code":-32603,"message":"The call failed because of an internal error."}}';

/** Ends an exchange: stamps the fault, tells the operator of a failure, and writes the response; never throws. */
export function finish(refusal: Refusal, exchange: Exchange, revision?: Revision): Response {
  try {
    return write(refusal, exchange, revision ?? revisionFor(exchange));
  } catch {
    return new Response(LAST, { status: 500, headers: { "content-type": "application/json" } });
  }
}

function write(refusal: Refusal, exchange: Exchange, revision: Revision): Response {
  const { options } = exchange;
  const status = refusal.status ?? statusOf(refusal.refused);
  const fault = outgoing(refusal, exchange);
  // The caller's mistakes and what is merely not served here are no failures, so nobody is told unless asked to;
  // of a fault with an incident somebody was told already.
  const told = (options.recorded === true || status >= 500) && fault.incident === undefined;
  const now = (options.now ?? Date.now)();
  const out = stamp(fault, {
    incident: told ? formatId(now, (options.random ?? randomBytes)()) : undefined,
    at: fault.at ?? new Date(now).toISOString(),
    trace: fault.trace ?? traceOf(exchange),
    docsBase: options.docsBase,
    recorded: options.recorded,
    origin: originOf(fault, options.name),
  });
  const answer = answerFor(out, status, exchange, revision);
  if (told) report(out, answer, refusal, exchange, now);
  const challenge = refusal.headers?.["www-authenticate"] ?? challengeFor(out, options);
  const headers = new Headers({
    "cache-control": "no-store",
    ...options.headers,
    ...refusal.headers,
    ...answer.headers,
  });
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  return new Response(answer.body, { status, headers });
}

/** Refused credentials are one constant fault, whoever refused them and why. */
function outgoing({ refused, foreign }: Refusal, { request }: Exchange): Fault {
  if (knownKind(refused) === "unauthenticated") return unauthorized.fault();
  return foreign === true ? withhold(refused, secretsOf(request)) : refused;
}

function report(fault: Fault, answer: Answer, refusal: Refusal, exchange: Exchange, now: number): void {
  const method = methodOf(exchange);
  const tool = toolOf(exchange);
  const secrets = secretsOf(exchange.request);
  const incident: Incident = {
    fault,
    at: new Date(now).toISOString(),
    durationMs: Math.max(0, now - exchange.startedMs),
    ...(refusal.cause !== undefined && { cause: refusal.cause }),
    ...(method !== undefined && { method }),
    ...(tool !== undefined && { tool }),
    ...(answer.code !== undefined && { code: answer.code }),
    ...(secrets !== undefined && { secrets }),
  };
  tell(exchange.options.sink ?? stderrSink(), incident);
}

/** The name of this server, unless the fault comes from elsewhere. */
function originOf({ origin }: Fault, name: string | undefined): Origin {
  return name !== undefined && origin.layer === "server" && origin.name === undefined
    ? { layer: "server", name }
    : origin;
}

function traceOf(exchange: Exchange): string | undefined {
  return stringAt(metaOf(exchange), "traceparent") ?? exchange.request.headers.get("traceparent") ?? undefined;
}
