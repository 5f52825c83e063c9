import type { Fault, Issue } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { certaintyMeta, certaintyOf } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { proseOf } from "../prose.ts";
import type { Json } from "../wire.ts";
import { BY_KIND, ROWS, type Row } from "./table.ts";

/** What encoding may be told. */
export interface ClosientContext extends EncodeContext {
  /** The result of a tool, or the reply of the REST twin. */
  readonly form?: "result" | "reply" | undefined;
}

/** The reply of the REST twin: the same document. */
export interface ClosientReply {
  readonly status: number;
  readonly headers: { readonly "content-type": "application/problem+json" };
  readonly body: Json;
}

/** A tool result that carries the error object, readable by every client. */
export interface ClosientResult {
  readonly result: {
    readonly content: readonly [{ readonly type: "text"; readonly text: string }];
    readonly isError: true;
    readonly error: { readonly code: number; readonly message: string; readonly data: Json };
    readonly _meta?: Json;
  };
}

/** One of the two forms. */
export type ClosientWire = ClosientResult | ClosientReply;

/** The row that a fault goes out as: by its reason where the system has one, else by its kind. */
export function rowFor(fault: Fault): { readonly row: Row; readonly retryable: boolean } {
  const own = Object.values(ROWS).find((row) => row.reason.id === fault.reason);
  const { row, ...habit }: { row: Row; retryable?: boolean } = own ? { row: own } : BY_KIND[knownKind(fault)];
  return { row, retryable: fault.retry?.allowed ?? habit.retryable ?? row.retryable };
}

/** Seconds to wait, rounded up: the wire has no smaller unit. */
export function secondsOf(fault: Fault): number | undefined {
  const ms = fault.retry?.afterMs;
  return ms === undefined ? undefined : Math.ceil(ms / 1_000);
}

/** The system writes its times in UTC, without fractions, with a numeric offset. */
export function timeOf(at: string): string {
  const time = new Date(at);
  // A time that no calendar has is nobody's to correct.
  const utc = Number.isNaN(time.getTime()) ? at : time.toISOString();
  return utc.replace(/\.\d+/, "").replace(/Z$/, "+00:00");
}

/** The problem document, which is also the body of the REST twin. */
function problemOf(fault: Fault, context: EncodeContext): Json {
  const { row, retryable } = rowFor(fault);
  const at = fault.at ?? context.at;
  const base = context.docsBase?.replace(/\/+$/, "");
  const wait = secondsOf(fault);
  return {
    type: base === undefined ? `urn:closient:error:${row.errorCode}` : `${base}/${row.errorCode}`,
    title: row.title,
    status: row.status,
    detail: proseOf(fault),
    error_code: row.errorCode,
    retryable,
    ...(wait !== undefined && { retry_after: wait }),
    ...(at !== undefined && { timestamp: timeOf(at) }),
    ...(fault.issues !== undefined && { errors: fault.issues.map(errorOf) }),
  };
}

function errorOf(issue: Issue): Json {
  return {
    pointer: `#${issue.pointer}`,
    code: issue.rule,
    ...(issue.expected !== undefined && { detail: issue.expected }),
    ...(issue.suggestion !== undefined && { suggestion: issue.suggestion }),
  };
}

/** Writes a fault as the system's error object inside a tool result, or as the reply of its REST twin. */
export function encode(fault: Fault, context: ClosientContext = {}): ClosientWire {
  const { row } = rowFor(fault);
  const certainty = certaintyOf(fault, row.reason);
  if (context.form === "reply") {
    const headers = { "content-type": "application/problem+json" } as const;
    return { status: row.status, headers, body: { ...problemOf(fault, context), ...certainty } };
  }
  const meta = certaintyMeta(certainty);
  return {
    result: {
      content: [{ type: "text", text: proseOf(fault) }],
      isError: true,
      error: { code: row.code, message: row.title, data: problemOf(fault, context) },
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  };
}
