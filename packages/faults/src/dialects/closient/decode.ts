import type { FaultDetails } from "../../fault/build.ts";
import type { Fault, Issue } from "../../fault/fault.ts";
import { stampFault } from "../../fault/stamp.ts";
import { arrayAt, booleanAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "../../json/read.ts";
import { readCertainty } from "../certainty.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { innerErrorOf, type ReplyParts, splitReply } from "../envelope.ts";
import { peerQuote } from "../sentence.ts";
import { CLOSIENT_RANGES, CLOSIENT_ROWS, type ClosientRow } from "./table.ts";

/** The wait of a client that may retry and gets no `retry_after`. */
export const CLOSIENT_DEFAULT_WAIT_MS = 5_000;

/** Recognises a problem document with `error_code` and `retryable`, alone or as the data of an error. */
export function isClosientReply(parts: ReplyParts): boolean {
  const problem = innerErrorOf(parts)?.data ?? parts.body;
  return stringAt(problem, "error_code") !== undefined && booleanAt(problem, "retryable") !== undefined;
}

/** Reads Closient's error object, or the problem document of its REST API. */
export function decodeClosient(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const parts = splitReply(wire);
  const error = innerErrorOf(parts);
  const problem = error === undefined ? parts.body : error.data;
  const reason = error === undefined ? reasonOfErrorCode(problem) : reasonOfClosientCode(error.code, problem);
  if (reason === undefined) return undefined;
  const detail = stringAt(problem, "detail") ?? error?.message;
  const certainty = readCertainty(objectAt(parts.result, "_meta") ?? problem);
  const fault = reason.fault({}, { ...context, ...certainty, ...peerQuote(detail), ...closientDetails(problem) });
  return stampFault(fault, { at: stringAt(problem, "timestamp") });
}

function reasonOfErrorCode(problem: unknown): TableReason | undefined {
  const name = stringAt(problem, "error_code");
  return Object.values<ClosientRow>(CLOSIENT_ROWS).find((row) => row.errorCode === name)?.reason;
}

/** Looks up the number, then the name in the problem, then the range of the number. */
function reasonOfClosientCode(code: number, problem: unknown): TableReason | undefined {
  const row = Object.values<ClosientRow>(CLOSIENT_ROWS).find((one) => one.code === code);
  const range = CLOSIENT_RANGES.find(({ from, to }) => code >= from && code <= to);
  return row?.reason ?? reasonOfErrorCode(problem) ?? range?.reason;
}

function closientDetails(problem: unknown): FaultDetails {
  const allowed = booleanAt(problem, "retryable");
  const seconds = numberAt(problem, "retry_after");
  const issues = arrayAt(problem, "errors").filter(isObject).map(fromClosientIssue);
  return {
    ...(allowed !== undefined && {
      retry: { allowed, ...(seconds !== undefined && { afterMs: seconds * 1_000 }) },
    }),
    ...(allowed !== false && { afterMs: seconds === undefined ? CLOSIENT_DEFAULT_WAIT_MS : seconds * 1_000 }),
    ...(issues.length > 0 && { issues }),
  };
}

function fromClosientIssue(error: JsonObject): Issue {
  // Building the fault drops every member that does not fit.
  return {
    pointer: stringAt(error, "pointer")?.replace(/^#/, ""),
    rule: stringAt(error, "code"),
    expected: stringAt(error, "detail"),
    suggestion: stringAt(error, "suggestion"),
  } as Issue;
}
