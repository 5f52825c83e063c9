import { amendFault, stampFault } from "../../fault/amend.ts";
import type { FaultDetails } from "../../fault/build.ts";
import type { Fault, Issue, RetryAdvice } from "../../fault/fault.ts";
import { render } from "../../render/render.ts";
import { arrayAt, booleanAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "../../wire/json.ts";
import { carriedMembers, carriedMeta, readCarriedMembers } from "../carried-members.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, EncodeContext, TableReason } from "../dialect.ts";
import {
  asRpcError,
  type ErrorData,
  errorAsData,
  findErrorObject,
  type ReplyParts,
  type RpcError,
  splitReply,
} from "../envelope.ts";
import {
  addOwnCodes,
  type ExtensibleDialect,
  type OwnCode,
  ownParams,
  readOwnParams,
  withoutRepetition,
} from "../own-codes.ts";
import { peerQuote, wireSentence } from "../sentence.ts";
import {
  CLOSIENT_CODES,
  CLOSIENT_RANGES,
  type ClosientCode,
  type ClosientRow,
  closientName,
  closientRowFor,
} from "./table.ts";

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
function encodeClosient(fault: Fault, context: ClosientContext, own: readonly OwnCode[]): ClosientWire {
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

/** The wait of a client that may retry and gets no `retry_after`. */
const CLOSIENT_DEFAULT_WAIT_MS = 5_000;

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

function findError({ result, error }: ReplyParts): { readonly error: RpcError | undefined; readonly isShown: boolean } {
  const found = findErrorObject(result, (one) => asRpcError(one) !== undefined && isProblem(one["data"]));
  return { error: asRpcError(found?.error) ?? error, isShown: found?.isShown === true };
}

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

function isRepetition({ pointer, rule, expected, suggestion }: Issue, sentence: string | undefined): boolean {
  return pointer === "" && rule === "custom" && expected === sentence && suggestion === undefined;
}

/**
 * Closient: a JSON-RPC error object inside the tool result, whose `data` is an RFC 9457 problem document.
 *
 * The reason of the code, the retry advice in whole seconds, issues, time, incident, effect and basis survive a round trip;
 * the message becomes a quote; params, limits, origin, attempts, cause and trace are lost.
 *
 * @example
 * import { core } from "@recourse/faults/reasons";
 * import { closient } from "@recourse/dialects/closient";
 *
 * const { fault } = core.not_found({ what: "product 4006381333931" });
 * const wire = closient.encode(fault, { docsBase: "https://example.com/errors" });
 * closient.decode(wire)?.kind; // "not_found"
 */
export const closient: ExtensibleDialect<ClosientWire, ClosientContext> = /* @__PURE__ */ createClosient([]);

function createClosient(own: readonly OwnCode[]): ExtensibleDialect<ClosientWire, ClosientContext> {
  const name = "closient";
  const listCodes = (): readonly OwnCode[] => [...Object.values<ClosientCode>(CLOSIENT_CODES), ...own];
  const published = () => Object.fromEntries(listCodes().map(({ code, reason }) => [code, reason.id]));
  return {
    name,
    encode: (fault, context = {}) => encodeClosient(fault, context, own),
    decode: createDecoder((wire, context) => decodeClosient(wire, context, own)),
    codes: { codeOf: (fault) => closientRowFor(fault, own).code, published },
    with: (added) =>
      createClosient(addOwnCodes({ name, ranges: [[-32399, -32000]], published: published(), own }, added)),
  };
}
