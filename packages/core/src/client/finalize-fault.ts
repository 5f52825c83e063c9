import type { Decoder } from "../dialects/dialect.ts";
import { peekInteger } from "../errors/peek.ts";
import { amendFault, redactSecrets, stampFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { readProvenance } from "../fault/provenance.ts";
import { type Severity, shouldReport } from "../fault/severity.ts";
import { incidentCause as thrownCause } from "../incidents/describe-cause.ts";
import { deliverIncident, type Sink } from "../incidents/incident.ts";
import { joinSecretFilters, type SecretFilter } from "../safety/secrets.ts";
import type { McpRequest } from "./client-state.ts";
import type { CallIncident } from "./options.ts";
import type { AttemptEnding } from "./send.ts";
import type { ExchangeRecord, TransportObserver } from "./transport/types.ts";

/** How an attempt failed, with what is only for the operator. */
export interface FailedAttempt {
  readonly fault: Fault;
  readonly ending: AttemptEnding;
  readonly record: ExchangeRecord | undefined;
}

export interface FailedCallFacts {
  readonly request: McpRequest;
  readonly attempts: number;
  readonly durationMs: number;
  readonly last: FailedAttempt | undefined;
  /** The call is made again after this wait. @default it is not */
  readonly retryInMs?: number | undefined;
}

export interface FinalizeContext {
  readonly options: {
    readonly sink?: Sink<CallIncident>;
    readonly secrets?: SecretFilter;
    readonly transport?: TransportObserver;
    readonly server?: { readonly dialect?: Pick<Decoder, "clientSeverity"> };
  };
  readonly now: () => number;
  readonly createId: () => string;
  readonly hasTool: (name: string) => boolean;
}

/**
 * The fault as the caller gets it: without the caller's secrets, with the time, and recorded if there is a sink. Only a
 * failure that an operator has to know about gets an incident id, and only with a sink: without one the id would lead nowhere.
 * What the server stamped stays.
 */
export function finalizeFault(given: Fault, facts: FailedCallFacts, context: FinalizeContext): Fault {
  const { options, now, createId } = context;
  const fault = withListedTools(given, context);
  const { sink } = options;
  const secrets = joinSecretFilters(options.secrets, options.transport?.connection().credentials);
  const at = new Date(now()).toISOString();
  const isIncident = sink !== undefined && shouldReport(fault, { textHidden: false });
  const incident = isIncident ? (fault.incident ?? createId()) : undefined;
  const out = stampFault(redactSecrets(fault, secrets), { at: fault.at ?? at, incident });
  if (sink !== undefined && (isIncident || isFailedAttempt(fault, facts))) {
    deliverIncident(sink, { ...describeIncident(facts, options), fault: out, at, ...(secrets && { secrets }) });
  }
  return out;
}

/** Whether the server failed a call. What was never sent, and what the caller itself ended, is no failure of a server. */
function isFailedAttempt({ kind, origin }: Fault, { attempts }: FailedCallFacts): boolean {
  return attempts > 0 && !(kind === "cancelled" && origin.layer === "client");
}

/** Tools that a server names in a move are shown as names if the server really has them, otherwise as its words. */
function withListedTools(fault: Fault, { hasTool }: FinalizeContext): Fault {
  const provenance = readProvenance(fault);
  const named = fault.recourse.flatMap(({ tool, candidates = [] }) => (tool === undefined ? candidates : [tool]));
  const tools = named.filter(hasTool);
  if (provenance === undefined || tools.length === 0) return fault;
  return amendFault(fault, {}, { provenance: { ...provenance, tools } });
}

function describeIncident(
  { request, attempts, durationMs, last, retryInMs }: FailedCallFacts,
  { transport, server }: FinalizeContext["options"],
) {
  const { method, name } = request;
  const { record } = last ?? {};
  const connection = transport?.connection();
  const cause = attemptCause(last);
  const code = answeredCode(last);
  const severity = callSeverity(code, retryInMs, server?.dialect);
  return {
    method,
    ...(method === "tools/call" && { tool: name }),
    durationMs: Math.round(durationMs),
    attempts,
    ...(retryInMs !== undefined && { retryInMs }),
    ...(severity !== undefined && { severity }),
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause }),
    ...(record !== undefined && { phase: record.phase }),
    ...(record?.status !== undefined && { status: record.status }),
    ...(record?.body !== undefined && { body: record.body }),
    ...(connection !== undefined && connection.stderr.length > 0 && { stderr: connection.stderr }),
    ...(connection?.exit !== undefined && { exit: connection.exit }),
  } satisfies Partial<CallIncident>;
}

function callSeverity(
  code: number | undefined,
  retryInMs: number | undefined,
  dialect: Pick<Decoder, "clientSeverity"> | undefined,
): Severity | undefined {
  // What is tried again may still succeed, so it is no reason to raise an alarm.
  if (retryInMs !== undefined) return "warning";
  try {
    return code === undefined ? undefined : dialect?.clientSeverity?.(code);
  } catch {
    return undefined;
  }
}

/** The code of the JSON-RPC error that the server sent. SDK 1 puts the HTTP status where a JSON-RPC code would be. */
export function answeredCode(last: FailedAttempt | undefined): number | undefined {
  const code = last?.ending.how === "threw" ? peekInteger(last.ending.error, "code") : undefined;
  return code !== undefined && code < 0 ? code : undefined;
}

function attemptCause(last: FailedAttempt | undefined): unknown {
  if (last?.ending.how === "threw") return thrownCause(last.ending.error);
  return last?.ending.how === "answered" ? last.ending.result : last?.record?.error;
}
