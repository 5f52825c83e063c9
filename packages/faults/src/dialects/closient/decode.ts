import { arrayAt, booleanAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "@recourse/wire";
import { stampFault } from "../../fault/amend.ts";
import type { FaultDetails } from "../../fault/build.ts";
import type { Fault, Issue, RetryAdvice } from "../../fault/fault.ts";
import { readCarriedMembers } from "../carried-members.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { asRpcError, findErrorObject, type ReplyParts, type RpcError, splitReply } from "../envelope.ts";
import { type OwnCode, readOwnParams, withoutRepetition } from "../own-codes.ts";
import { peerQuote } from "../sentence.ts";
import { CLOSIENT_CODES, CLOSIENT_RANGES, closientName } from "./table.ts";

/** The wait of a client that may retry and gets no `retry_after`. */
export const CLOSIENT_DEFAULT_WAIT_MS = 5_000;

/** Recognises a problem document with `error_code` and `retryable`, alone or as the data of an error. */
export function isClosientReply(parts: ReplyParts): boolean {
  return isProblem(findError(parts).error?.data ?? parts.body);
}

/** Reads Closient's error object, or the problem document of its REST API. */
export function decodeClosient(
  wire: unknown,
  context: DecodeContext = {},
  own: readonly OwnCode[] = [],
): Fault | undefined {
  const parts = splitReply(wire);
  const found = findError(parts);
  const { error } = found;
  const problem = error === undefined ? parts.body : error.data;
  const row = closientRow(error?.code, problem, own);
  const reason = row?.reason ?? CLOSIENT_RANGES[Math.trunc((error?.code ?? 0) / 100)];
  if (reason === undefined) return undefined;
  const detail = stringAt(problem, "detail") ?? error?.message;
  const carried = readCarriedMembers(objectAt(parts.result, "_meta") ?? problem, found);
  const options = { ...context, ...carried, ...peerQuote(detail), ...closientDetails(problem, reason) };
  const fault =
    row !== undefined && own.includes(row)
      ? withoutRepetition(reason.fault(readOwnParams(problem), options))
      : reason.fault({}, options);
  return stampFault(fault, { at: stringAt(problem, "timestamp"), incident: stringAt(problem, "instance") });
}

function isProblem(problem: unknown): boolean {
  return stringAt(problem, "error_code") !== undefined && booleanAt(problem, "retryable") !== undefined;
}

/** The error object inside the result, or else the error of the reply. */
function findError({ result, error }: ReplyParts): { readonly error: RpcError | undefined; readonly isShown: boolean } {
  const found = findErrorObject(result, (one) => asRpcError(one) !== undefined && isProblem(one["data"]));
  return { error: asRpcError(found?.error) ?? error, isShown: found?.isShown === true };
}

/** Looks up the number, then the name in the problem. */
function closientRow(code: number | undefined, problem: unknown, own: readonly OwnCode[]): OwnCode | undefined {
  const name = stringAt(problem, "error_code");
  const rows = [...own.map((one) => [closientName(one), one] as const), ...Object.entries<OwnCode>(CLOSIENT_CODES)];
  return (rows.find(([, one]) => one.code === code) ?? rows.find(([one]) => one === name))?.[1];
}

/** The advice of a reply. Without a wait, the table says how an internal error is repeated: with growing waits. */
function closientAdvice(allowed: boolean, seconds: number | undefined, { kind }: TableReason): RetryAdvice {
  if (seconds !== undefined) return { allowed, afterMs: seconds * 1_000 };
  return { allowed, ...(allowed && kind === "internal" && { backoff: "exponential" }) };
}

function closientDetails(problem: unknown, reason: TableReason): FaultDetails {
  const allowed = booleanAt(problem, "retryable");
  const seconds = numberAt(problem, "retry_after");
  const wait = seconds === undefined ? {} : { afterMs: seconds * 1_000 };
  const detail = stringAt(problem, "detail");
  const issues = arrayAt(problem, "errors").flatMap((error) =>
    isObject(error) ? fromClosientIssue(error, detail) : [],
  );
  return {
    ...(allowed !== undefined && { retry: closientAdvice(allowed, seconds, reason) }),
    afterMs: CLOSIENT_DEFAULT_WAIT_MS,
    ...wait,
    issues,
  };
}

/** An error as an issue. One about the whole request that only repeats the `detail` of the document is left out. */
function fromClosientIssue(error: JsonObject, detail: string | undefined): readonly Issue[] {
  // Building the fault drops every member that does not fit.
  const issue = {
    pointer: stringAt(error, "pointer")?.replace(/^#/, ""),
    rule: stringAt(error, "code"),
    expected: stringAt(error, "detail"),
    suggestion: stringAt(error, "suggestion"),
  } as Issue;
  return isRepetition(issue, detail) ? [] : [issue];
}

/** Whether an issue says no more than the sentence of the failure. */
function isRepetition({ pointer, rule, expected, suggestion }: Issue, sentence: string | undefined): boolean {
  return pointer === "" && rule === "custom" && expected === sentence && suggestion === undefined;
}
