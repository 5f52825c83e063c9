import type { Details } from "../../fault/build.ts";
import type { Fault, Issue } from "../../fault/fault.ts";
import { stamp } from "../../fault/stamp.ts";
import { readCertainty } from "../certainty.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { quoteOf } from "../prose.ts";
import {
  arrayAt,
  booleanAt,
  isJson,
  type Json,
  memberAt,
  numberAt,
  objectAt,
  open,
  rpcErrorOf,
  stringAt,
} from "../wire.ts";
import { RANGES, ROWS, type Row } from "./table.ts";

/** A client that may repeat and is told no wait waits this long. */
export const DEFAULT_WAIT_MS = 5_000;

/** Reads the system's error object, or the problem document of its REST twin. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error, body } = open(wire);
  const found = rpcErrorOf(memberAt(result, "error")) ?? error;
  const problem = found === undefined ? body : found.data;
  const reason = found === undefined ? byName(problem) : byCode(found.code, problem);
  if (reason === undefined) return undefined;
  const detail = stringAt(problem, "detail") ?? found?.message;
  const certainty = readCertainty(objectAt(result, "_meta") ?? problem);
  const fault = reason.fault({}, { ...context, ...certainty, ...quoteOf(detail), ...detailsOf(problem) });
  return stamp(fault, { at: stringAt(problem, "timestamp") });
}

function byName(problem: unknown): TableReason | undefined {
  const name = stringAt(problem, "error_code");
  return Object.values<Row>(ROWS).find((row) => row.errorCode === name)?.reason;
}

/** By the number, then by the name beside it, then by the range that the number lies in. */
function byCode(code: number, problem: unknown): TableReason | undefined {
  const row = Object.values<Row>(ROWS).find((one) => one.code === code);
  return row?.reason ?? byName(problem) ?? RANGES.find(({ from, to }) => code >= from && code <= to)?.reason;
}

function detailsOf(problem: unknown): Details {
  const allowed = booleanAt(problem, "retryable");
  const seconds = numberAt(problem, "retry_after");
  const issues = arrayAt(problem, "errors").filter(isJson).map(issueOf);
  return {
    ...(allowed !== undefined && {
      retry: { allowed, ...(seconds !== undefined && { afterMs: seconds * 1_000 }) },
    }),
    ...(allowed !== false && { afterMs: seconds === undefined ? DEFAULT_WAIT_MS : seconds * 1_000 }),
    ...(issues.length > 0 && { issues }),
  };
}

function issueOf(error: Json): Issue {
  // Whatever does not fit is dropped when the fault is built.
  return {
    pointer: stringAt(error, "pointer")?.replace(/^#/, ""),
    rule: stringAt(error, "code"),
    expected: stringAt(error, "detail"),
    suggestion: stringAt(error, "suggestion"),
  } as Issue;
}
