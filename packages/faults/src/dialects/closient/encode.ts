import type { JsonObject } from "@recourse/wire";
import { amendFault } from "../../fault/amend.ts";
import type { Fault, Issue } from "../../fault/fault.ts";
import { render } from "../../render/render.ts";
import { carriedMembers, carriedMeta } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { type ErrorData, errorAsData } from "../envelope.ts";
import { type OwnCode, ownParams } from "../own-codes.ts";
import { wireSentence } from "../sentence.ts";
import { CLOSIENT_DEFAULT_WAIT_MS } from "./decode.ts";
import { type ClosientRow, closientRowFor } from "./table.ts";

/** Options for writing a fault for Closient. */
export interface ClosientContext extends EncodeContext {
  /** What to write: the result of a tool, or the reply of the REST API. @default "result" */
  readonly form?: "result" | "reply" | undefined;
}

/** A reply of the REST API, whose body is the problem document. */
export interface ClosientReply {
  readonly status: number;
  readonly headers: { readonly "content-type": "application/problem+json" };
  readonly body: JsonObject;
}

/** Closient's error object. */
interface ClosientError {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject;
}

/** A tool result with the error object. `content` and `isError` show the failure to other clients too. */
export interface ClosientResult {
  readonly result: ErrorData<ClosientError> & {
    readonly content: readonly [{ readonly type: "text"; readonly text: string }];
    readonly isError: true;
    readonly error: ClosientError;
    readonly _meta?: JsonObject;
  };
}

/** What `closient.encode` writes, chosen by `form`. */
export type ClosientWire = ClosientResult | ClosientReply;

/** Writes a fault as Closient's error object inside a tool result, or as a reply of the REST API. */
export function encodeClosient(fault: Fault, context: ClosientContext, own: readonly OwnCode[]): ClosientWire {
  const row = closientRowFor(fault, own);
  // The id of the incident has a member of its own in a problem document.
  const { incident, ...carried } = carriedMembers(fault, row);
  const problem = closientProblem(fault, row, context);
  const data = incident === undefined ? problem : { ...problem, instance: incident };
  if (context.form === "reply") {
    const headers = { "content-type": "application/problem+json" } as const;
    return { status: row.status, headers, body: { ...data, ...carried } };
  }
  const meta = carriedMeta(carried);
  const error = { code: row.code, message: row.title, data };
  return {
    result: {
      content: [{ type: "text", text: render(row.retryable ? asRetryable(fault) : fault, { for: "model" }) }],
      isError: true,
      ...errorAsData(error, context),
      error,
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  };
}

/** The fault with the advice that its code implies, so that the text says the same as `retryable`. */
function asRetryable(fault: Fault): Fault {
  return fault.retry === undefined
    ? amendFault(fault, { retry: { allowed: true, afterMs: CLOSIENT_DEFAULT_WAIT_MS } })
    : fault;
}

/** The problem document, which is also the body of a REST reply. */
function closientProblem(fault: Fault, row: ClosientRow, context: EncodeContext): JsonObject {
  const at = fault.at ?? context.at;
  const base = context.docsBase?.replace(/\/+$/, "");
  const wait = closientWait(fault);
  const errors = closientErrors(fault, row);
  return {
    type: base === undefined ? `urn:closient:error:${row.name}` : `${base}/${row.name}`,
    title: row.title,
    status: row.status,
    detail: wireSentence(fault),
    error_code: row.name,
    retryable: row.retryable,
    ...(wait !== undefined && { retry_after: wait }),
    ...(at !== undefined && { timestamp: closientTime(at) }),
    ...(errors !== undefined && { errors }),
    ...(row.isOwn && ownParams(fault)),
  };
}

/** The problems with fields. -32101 always names one: if no field is known, the whole request. */
function closientErrors({ issues, ...fault }: Fault, row: ClosientRow): readonly JsonObject[] | undefined {
  if (issues !== undefined) return issues.map(closientIssue);
  return row.name === "validation_error" ? [{ pointer: "#", code: "custom", detail: wireSentence(fault) }] : undefined;
}

/** The wait in seconds, rounded up because the wire has no smaller unit. */
function closientWait(fault: Fault): number | undefined {
  const ms = fault.retry?.afterMs;
  return ms === undefined ? undefined : Math.ceil(ms / 1_000);
}

/** Closient writes times in UTC, without fractions, with a numeric offset. */
function closientTime(at: string): string {
  const time = new Date(at);
  // A date that the calendar does not have is written unchanged.
  const utc = Number.isNaN(time.getTime()) ? at : time.toISOString();
  return utc.replace(/\.\d+/, "").replace(/Z$/, "+00:00");
}

function closientIssue(issue: Issue): JsonObject {
  const detail = issue.message ?? issue.expected;
  return {
    pointer: `#${issue.pointer}`,
    code: issue.rule,
    ...(detail !== undefined && { detail }),
    ...(issue.suggestion !== undefined && { suggestion: issue.suggestion }),
  };
}
