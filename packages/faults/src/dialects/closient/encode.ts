import type { Fault, Issue } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import type { JsonObject } from "../../json/read.ts";
import { render } from "../../render/render.ts";
import { certaintyMembers, certaintyMeta } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { wireSentence } from "../sentence.ts";
import { CLOSIENT_BY_KIND, CLOSIENT_ROWS, type ClosientRow } from "./table.ts";

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

/** A tool result with the error object. `content` and `isError` show the failure to other clients too. */
export interface ClosientResult {
  readonly result: {
    readonly content: readonly [{ readonly type: "text"; readonly text: string }];
    readonly isError: true;
    readonly error: { readonly code: number; readonly message: string; readonly data: JsonObject };
    readonly _meta?: JsonObject;
  };
}

/** What `closient.encode` writes, chosen by `form`. */
export type ClosientWire = ClosientResult | ClosientReply;

/** Writes a fault as Closient's error object inside a tool result, or as a reply of the REST API. */
export function encodeClosient(fault: Fault, context: ClosientContext = {}): ClosientWire {
  const { row } = closientRowFor(fault);
  const certainty = certaintyMembers(fault, row.reason);
  if (context.form === "reply") {
    const headers = { "content-type": "application/problem+json" } as const;
    return { status: row.status, headers, body: { ...closientProblem(fault, context), ...certainty } };
  }
  const meta = certaintyMeta(certainty);
  return {
    result: {
      content: [{ type: "text", text: render(fault, { for: "model" }) }],
      isError: true,
      error: { code: row.code, message: row.title, data: closientProblem(fault, context) },
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  };
}

/** The row that a fault is written as: by its reason where the table has it, else by its kind. */
export function closientRowFor(fault: Fault): { readonly row: ClosientRow; readonly retryable: boolean } {
  const own = Object.values(CLOSIENT_ROWS).find((row) => row.reason.id === fault.reason);
  const choice: { row: ClosientRow; retryable?: boolean } = own ? { row: own } : CLOSIENT_BY_KIND[knownKind(fault)];
  const { row, retryable = row.retryable } = choice;
  return { row, retryable: fault.retry?.allowed ?? retryable };
}

/** The problem document, which is also the body of a REST reply. */
function closientProblem(fault: Fault, context: EncodeContext): JsonObject {
  const { row, retryable } = closientRowFor(fault);
  const at = fault.at ?? context.at;
  const base = context.docsBase?.replace(/\/+$/, "");
  const wait = closientWait(fault);
  return {
    type: base === undefined ? `urn:closient:error:${row.errorCode}` : `${base}/${row.errorCode}`,
    title: row.title,
    status: row.status,
    detail: wireSentence(fault),
    error_code: row.errorCode,
    retryable,
    ...(wait !== undefined && { retry_after: wait }),
    ...(at !== undefined && { timestamp: closientTime(at) }),
    ...(fault.issues !== undefined && { errors: fault.issues.map(closientIssue) }),
  };
}

/** The wait in seconds, rounded up because the wire has no smaller unit. */
export function closientWait(fault: Fault): number | undefined {
  const ms = fault.retry?.afterMs;
  return ms === undefined ? undefined : Math.ceil(ms / 1_000);
}

/** Closient writes times in UTC, without fractions, with a numeric offset. */
export function closientTime(at: string): string {
  const time = new Date(at);
  // A date that the calendar does not have is written unchanged.
  const utc = Number.isNaN(time.getTime()) ? at : time.toISOString();
  return utc.replace(/\.\d+/, "").replace(/Z$/, "+00:00");
}

function closientIssue(issue: Issue): JsonObject {
  return {
    pointer: `#${issue.pointer}`,
    code: issue.rule,
    ...(issue.expected !== undefined && { detail: issue.expected }),
    ...(issue.suggestion !== undefined && { suggestion: issue.suggestion }),
  };
}
