import { amendFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { provenanceOf } from "../fault/provenance.ts";
import { redactSecrets } from "../fault/redact-secrets.ts";
import { shouldReport } from "../fault/should-report.ts";
import { stampFault } from "../fault/stamp.ts";
import { deliver } from "../incidents/incident.ts";
import { causeOf as thrownCause } from "../incidents/read-thrown.ts";
import { joinSecrets, type SecretFilter } from "../safety/secrets.ts";
import type { ClientRequest } from "./client-state.ts";
import type { CallIncident, CallSink } from "./incident.ts";
import type { Ending } from "./send.ts";
import type { ExchangeRecord, TransportObserver } from "./transport/types.ts";

/** How an attempt failed, with what is only for the operator. */
export interface FailedAttempt {
  readonly fault: Fault;
  readonly ending: Ending;
  readonly record: ExchangeRecord | undefined;
}

/** What is known about a failed call. */
export interface CallFacts {
  readonly request: ClientRequest;
  readonly attempts: number;
  readonly durationMs: number;
  readonly last: FailedAttempt | undefined;
}

/** What stamping and reporting need. */
export interface FinalizeContext {
  readonly options: {
    readonly sink?: CallSink;
    readonly secrets?: SecretFilter;
    readonly transport?: TransportObserver;
  };
  readonly now: () => number;
  readonly createId: () => string;
  /** Whether the server is known to have a tool. */
  readonly hasTool: (name: string) => boolean;
}

/**
 * The fault as the caller gets it: without the caller's secrets, with the time, and reported where there is a sink. Without
 * a sink it gets no incident id, since the id would lead nowhere. What the server stamped stays.
 */
export function finalizeFault(given: Fault, facts: CallFacts, context: FinalizeContext): Fault {
  const { options, now, createId } = context;
  const fault = withListedTools(given, context);
  const { sink } = options;
  const secrets = joinSecrets(options.secrets, options.transport?.connection().credentials);
  const at = new Date(now()).toISOString();
  const isReported = sink !== undefined && shouldReport(fault, { textHidden: false });
  const incident = isReported ? (fault.incident ?? createId()) : undefined;
  const out = stampFault(redactSecrets(fault, secrets), { at: fault.at ?? at, incident });
  if (isReported) {
    deliver(sink, { ...incidentOf(facts, options.transport), fault: out, at, ...(secrets && { secrets }) });
  }
  return out;
}

/** Tools that a server names in a move are shown as names where the server really has them, otherwise as its words. */
function withListedTools(fault: Fault, { hasTool }: FinalizeContext): Fault {
  const provenance = provenanceOf(fault);
  const named = fault.recourse.flatMap(({ tool, candidates = [] }) => (tool === undefined ? candidates : [tool]));
  const tools = named.filter(hasTool);
  if (provenance === undefined || tools.length === 0) return fault;
  return amendFault(fault, {}, { provenance: { ...provenance, tools } });
}

function incidentOf({ request, attempts, durationMs, last }: CallFacts, transport: TransportObserver | undefined) {
  const { method, name } = request;
  const { record } = last ?? {};
  const connection = transport?.connection();
  const cause = causeOf(last);
  return {
    method,
    ...(method === "tools/call" && { tool: name }),
    durationMs: Math.round(durationMs),
    attempts,
    ...(cause !== undefined && { cause }),
    ...(record !== undefined && { phase: record.phase }),
    ...(record?.status !== undefined && { status: record.status }),
    ...(record?.body !== undefined && { body: record.body }),
    ...(connection !== undefined && connection.stderr.length > 0 && { stderr: connection.stderr }),
    ...(connection?.exit !== undefined && { exit: connection.exit }),
  } satisfies Partial<CallIncident>;
}

function causeOf(last: FailedAttempt | undefined): unknown {
  if (last?.ending.how === "threw") return thrownCause(last.ending.error);
  return last?.ending.how === "answered" ? last.ending.result : last?.record?.error;
}
