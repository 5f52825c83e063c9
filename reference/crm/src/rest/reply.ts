import { type Fault, FaultError } from "@recourse/faults";
import { platica } from "@recourse/faults/dialects";
import { type Sink, stderrSink } from "@recourse/faults/server";
import { crm } from "../reasons.ts";
import { howToFix, waitOf } from "./how-to-fix.ts";

/** What every answer needs. */
export interface ReplyParts {
  readonly sink?: Sink | undefined;
  readonly now: () => number;
  /** A new id for a request. */
  readonly newId: () => string;
}

/** What one answer adds. */
export interface ReplyExtra {
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that HTTP fixes where the kind of the failure has another. */
  readonly status?: number;
}

/** Statuses of which an operator has to hear. */
const OURS = 500;

/** Answers with what an operation gave. */
export function success(payload: object, status: number, parts: ReplyParts): Response {
  return Response.json(payload, { status, headers: common(parts) });
}

/**
 * Answers a failure with the system's document: its status, a sentence, how to fix it, the fields to correct.
 * Whatever was not thrown as a fault on purpose is a bug, of which callers learn nothing.
 */
export function failure(thrown: unknown, parts: ReplyParts, extra: ReplyExtra = {}): Response {
  const { fault } = FaultError.is(thrown) ? thrown : crm.failed();
  const said = documentOf(fault);
  const code = extra.status ?? said.code;
  const { error, errors } = said;
  const details = howToFix(fault, code);
  const body = { code, error, ...(details !== undefined && { details }), ...(errors !== undefined && { errors }) };
  const headers = { ...common(parts), ...factsOf(fault, code), ...extra.headers };
  if (code >= OURS) tell(fault, thrown, parts);
  return Response.json(body, { status: code, headers });
}

interface Document {
  readonly code: number;
  readonly error: string;
  readonly errors?: readonly unknown[];
}

/** The body that the dialect has for a fault; what it has only a JSON-RPC error for is no failure of a REST call. */
function documentOf(fault: Fault): Document {
  const wire = platica.encode(fault);
  return "result" in wire ? (wire.result.structuredContent as unknown as Document) : documentOf(crm.failed.fault());
}

function common({ newId }: ReplyParts): Record<string, string> {
  return { "cache-control": "no-store", "x-request-id": newId() };
}

/** What HTTP has headers for. */
function factsOf(fault: Fault, code: number): Record<string, string> {
  const wait = waitOf(fault);
  return {
    ...(code === 401 && { "www-authenticate": "Bearer" }),
    ...(wait !== undefined && { "retry-after": String(wait) }),
  };
}

const stderr = stderrSink();

function tell(fault: Fault, thrown: unknown, { sink = stderr, now }: ReplyParts): void {
  sink({ fault, cause: thrown, at: new Date(now()).toISOString() });
}
