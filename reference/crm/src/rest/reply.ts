import { platica } from "@recourse/dialects/platica";
import { type Fault, FaultError } from "@recourse/faults";
import { type Sink, stderrSink } from "@recourse/faults/server";
import { crm } from "../reasons.ts";

/** Options that all responses share. */
export interface ReplyOptions {
  readonly sink?: Sink | undefined;
  readonly now: () => number;
  /** A new id for a request. */
  readonly newId: () => string;
}

/** Additions to one response. */
export interface ReplyExtra {
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that HTTP requires, if the kind of the failure has another. */
  readonly status?: number;
  /** The effect that a bug may have had. The default is `none`: no operation ran, or it only reads. */
  readonly bugEffect?: "none" | "possible";
}

/** The first status that is reported to the operator. */
const FIRST_SERVER_STATUS = 500;

/** The response to a successful operation. */
export function success(payload: object, status: number, parts: ReplyOptions): Response {
  return Response.json(payload, { status, headers: commonHeaders(parts.newId()) });
}

/**
 * The response to a failure: Platica's document with status, sentence, remedy and the fields to correct. Any other thrown
 * value than a fault is a bug; callers learn nothing about it.
 */
export function failure(thrown: unknown, parts: ReplyOptions, extra: ReplyExtra = {}): Response {
  const { fault } = FaultError.is(thrown) ? thrown : crm.failed({}, { effect: extra.bugEffect ?? "none" });
  const said = failureDocument(fault);
  const code = extra.status ?? said.code;
  const { error, errors } = said;
  const requestId = parts.newId();
  const details = howToFix(fault, code, requestId);
  const body = { code, error, ...(details !== undefined && { details }), ...(errors !== undefined && { errors }) };
  const headers = { ...commonHeaders(requestId), ...failureHeaders(fault, code), ...extra.headers };
  if (code >= FIRST_SERVER_STATUS) report(fault, thrown, parts);
  return Response.json(body, { status: code, headers });
}

interface Document {
  readonly code: number;
  readonly error: string;
  readonly errors?: readonly unknown[];
}

/** The document of a fault. Faults that the dialect encodes as JSON-RPC errors do not occur in REST calls. */
function failureDocument(fault: Fault): Document {
  const wire = platica.encode(fault);
  return "result" in wire
    ? (wire.result.structuredContent as unknown as Document)
    : failureDocument(crm.failed.fault());
}

function commonHeaders(requestId: string): Record<string, string> {
  return { "cache-control": "no-store", "x-request-id": requestId };
}

/** The headers that repeat parts of the body, and whether something was changed, which Platica's body has no member for. */
function failureHeaders(fault: Fault, code: number): Record<string, string> {
  const wait = waitSeconds(fault);
  return {
    "recourse-effect": fault.effect,
    ...(code === 401 && { "www-authenticate": "Bearer" }),
    ...(wait !== undefined && { "retry-after": String(wait) }),
  };
}

const stderr = stderrSink();

function report(fault: Fault, thrown: unknown, { sink = stderr, now }: ReplyOptions): void {
  sink({ fault, cause: thrown, at: new Date(now()).toISOString() });
}

/** The remedy for each status. Two failures have the same status and differ by reason. */
const HOW_TO_FIX: Readonly<Record<string, string>> = {
  "rest/workspace_missing": "Pass the id of one of the workspaces as workspace.",
  400: "Read errors and correct the fields that it flags.",
  401: "Check the Authorization header, or make a new key.",
  403: "Use a key that has access to the workspace and may do this.",
  404: "Check the id; where the key spans several workspaces, pass the right one as workspace.",
  422: "Look at its state, and change that first.",
  500: "Try again; if it stays so, contact support.",
};

/** The remedy if a write may have been done. */
const LOOK_FIRST = "It is not known whether this was done. Look at the data before you send it again.";

/** How long a caller should wait, in seconds. */
function waitSeconds({ retry }: Fault): number | undefined {
  return retry?.afterMs === undefined ? undefined : Math.ceil(retry.afterMs / 1_000);
}

/** What the caller should do about a failure, as a sentence for a model. */
function howToFix(fault: Fault, status: number, requestId: string): string | undefined {
  const wait = waitSeconds(fault);
  if (wait !== undefined) return `Send the same request again after ${wait} s.`;
  const remedy = fault.effect === "none" ? (HOW_TO_FIX[fault.reason] ?? HOW_TO_FIX[status]) : LOOK_FIRST;
  return status >= FIRST_SERVER_STATUS && remedy !== undefined ? `${remedy} Request id: ${requestId}.` : remedy;
}
