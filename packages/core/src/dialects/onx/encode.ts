import { type Fault, ISSUE_RULES, type Issue, type IssueRule, type Param } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import { attribute } from "../../render/model.ts";
import { describeNextMoves } from "../../render/next-move.ts";
import { render } from "../../render/render.ts";
import { fromPointer, type JsonObject, toPointer } from "../../wire/json.ts";
import { carriedMembers, carriedMeta } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { type ErrorData, errorAsData } from "../envelope.ts";
import { type OwnCode, ownCodeOf } from "../own-codes.ts";
import { wireSentence } from "../sentence.ts";
import { KIND_KEY, NEXT_KEY, ONX_ROWS, ONX_RPC, type OnxRow, type OnxRpcCode, WAIT_NAME } from "./table.ts";

// Where onX says that an argument is wrong, and by which rule.

export function isIssueRule(value: unknown): value is Issue["rule"] {
  return (ISSUE_RULES as readonly unknown[]).includes(value);
}

/** Only this part of a path is read. A pointer cannot be longer. */
const MAX_PATH_LENGTH = 1_024;
const PATH_PART = /\["([^"]*)"\]|([^.[\]]+)/g;

/** Converts a JSON Pointer into a path such as `order.items.0.sku`; a name with a dot or bracket becomes `["a.b"]`. */
export function toDottedPath(pointer: string): string {
  let path = "";
  for (const name of fromPointer(pointer)) {
    if (/[.[\]]/.test(name)) path += `["${name}"]`;
    else path += path === "" ? name : `.${name}`;
  }
  return path;
}

/** Converts a dotted path into a JSON Pointer. Indexes may be in brackets, and a pointer stays as it was. */
export function fromDottedPath(path: string): string {
  const head = path.slice(0, MAX_PATH_LENGTH);
  if (head.startsWith("/")) return head;
  return toPointer([...head.matchAll(PATH_PART)].map(([, quoted, plain]) => quoted ?? plain ?? ""));
}

/** A tool result with the error object, or a JSON-RPC error for a request that failed before a tool ran. */
export type OnxWire =
  | {
      readonly result: ErrorData<OnxError> & {
        readonly content: readonly [{ readonly type: "text"; readonly text: string }];
        readonly isError: true;
        readonly error: OnxError;
        readonly _meta: JsonObject;
      };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject } };

interface OnxError {
  readonly code: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly details: OnxDetails;
}

interface OnxDetails {
  readonly field?: string;
  readonly reason?: string;
  readonly suggestion: string;
  readonly context?: JsonObject;
  readonly originalError?: string;
}

/** Writes a fault as onX's error object inside a tool result, or as a JSON-RPC error. */
export function encodeOnx(fault: Fault, context: EncodeContext, own: readonly OwnCode[]): OnxWire {
  const route = onxRouteFor(fault, context, own);
  if (typeof route === "number") {
    const field = onxField(fault.issues?.[0]);
    const data = { ...(field !== undefined && { field }), ...carriedMembers(fault, { reason: ONX_RPC[route] }) };
    return { error: { code: route, message: wireSentence(fault), ...(Object.keys(data).length > 0 && { data }) } };
  }
  const { code, retryable } = route;
  const error = { code, message: wireSentence(fault), retryable, details: onxDetails(fault, route) };
  return {
    result: {
      content: [{ type: "text", text: render(fault, { for: "model" }) }],
      isError: true,
      ...errorAsData(error, context),
      error,
      _meta: onxMeta(fault, route),
    },
  };
}

/** Members of `_meta` for readers of Recourse: what the error object has no member for. */
function onxMeta(fault: Fault, { code, row }: OnxRoute): JsonObject {
  return {
    ...(code !== row.code && { [KIND_KEY]: row.reason.kind }),
    [NEXT_KEY]: fault.recourse,
    ...carriedMeta(carriedMembers(fault, row)),
  };
}

/** The wait before a retry, in ms. */
function onxWait({ retry, recourse }: Fault): number | undefined {
  return retry?.afterMs ?? recourse.find((move) => move.do === "retry")?.afterMs;
}

function onxDetails(fault: Fault, { retryable }: OnxRoute): OnxDetails {
  const [issue] = fault.issues ?? [];
  const named = fault.params?.["field"];
  const field = issue ? onxField(issue) : typeof named === "string" && named !== "" ? named : undefined;
  const detailReason = onxDetailReason(fault, issue);
  const { originalError: _separate, [WAIT_NAME]: _wait, ...params } = fault.params ?? {};
  const shown = Object.entries(params).filter(
    ([key, value]) => value !== null && !(key === "constraint" && value === detailReason),
  );
  const originalError = findOriginalError(fault);
  const waitMs = retryable ? onxWait(fault) : undefined;
  if (waitMs !== undefined) shown.push([WAIT_NAME, waitMs]);
  return {
    ...(field !== undefined && { field }),
    ...(detailReason !== undefined && { reason: detailReason }),
    suggestion: describeNextMoves(attribute(fault).moves),
    ...(shown.length > 0 && { context: Object.fromEntries<Param>(shown) }),
    ...(originalError !== undefined && { originalError }),
  };
}

/** The member `details.reason`: the rule of the issue, or the constraint if the rule is only `custom`. */
function onxDetailReason(fault: Fault, issue: Issue | undefined): string | undefined {
  const constraint = fault.params?.["constraint"];
  const isNamed = issue !== undefined && (issue.rule !== "custom" || issue.pointer === "");
  if (isNamed || typeof constraint !== "string" || constraint === "" || isIssueRule(constraint)) return issue?.rule;
  return constraint;
}

function onxField(issue: Issue | undefined): string | undefined {
  return issue === undefined || issue.pointer === "" ? undefined : toDottedPath(issue.pointer);
}

/** The row of each kind. `rpc` means a JSON-RPC error, because no tool ran. */
const ONX_BY_KIND = {
  invalid_input: ONX_ROWS.validation,
  invalid_request: "rpc",
  unauthenticated: ONX_ROWS.unauthorized,
  forbidden: ONX_ROWS.forbidden,
  approval_required: ONX_ROWS.forbidden,
  rate_limited: ONX_ROWS.rateLimit,
  overloaded: ONX_ROWS.backend,
  timeout: ONX_ROWS.timeout,
  unavailable: ONX_ROWS.backend,
  upstream_failed: ONX_ROWS.adapter,
  not_found: ONX_ROWS.notFound,
  conflict: ONX_ROWS.conflict,
  precondition_failed: ONX_ROWS.precondition,
  unsupported: ONX_ROWS.notImplemented,
  quota_exhausted: ONX_ROWS.quota,
  cancelled: ONX_ROWS.cancelled,
  internal: ONX_ROWS.internal,
  unknown: ONX_ROWS.internal,
} as const satisfies Record<Kind, OnxRow | "rpc">;

/** The row for arguments that all break the same rule. */
const ONX_BY_RULE: Partial<Readonly<Record<IssueRule, OnxRow>>> = {
  required: ONX_ROWS.missing,
  format: ONX_ROWS.format,
};

/** Reasons that are JSON-RPC errors for every method. */
const RPC_BY_REASON: Readonly<Record<string, OnxRpcCode>> = {
  [protocol.parse_error.id]: -32700,
  [protocol.invalid_request.id]: -32600,
  [protocol.method_not_found.id]: -32601,
  [protocol.invalid_params.id]: -32602,
  [protocol.malformed_call.id]: -32602,
  [protocol.http_method.id]: -32600,
  [message_too_large.id]: -32600,
};

/** The JSON-RPC code of a kind for requests other than tool calls, which have no tool result to carry the error. */
const RPC_BY_KIND: Partial<Readonly<Record<Kind, OnxRpcCode>>> = {
  invalid_request: -32600,
  invalid_input: -32602,
  not_found: -32602,
};

interface OnxRoute {
  readonly code: number;
  readonly retryable: boolean;
  /** The row that the error object is read as. Its kind is stated beside a general code. */
  readonly row: OnxRow & { readonly isOwn?: true };
}

/** How a fault is written: as an error object, or with a JSON-RPC code. */
export function onxRouteFor(fault: Fault, context: EncodeContext, added: readonly OwnCode[]): OnxRoute | OnxRpcCode {
  // Only the result of a tool call can carry the error object.
  const isToolCall = (context.method ?? "tools/call") === "tools/call";
  const yours = isToolCall ? ownCodeOf(fault, added) : undefined;
  if (yours !== undefined) return routeOfRow(fault, { ...yours, isOwn: true });
  const code = RPC_BY_REASON[fault.reason];
  if (code !== undefined) return code;
  const kind = knownKind(fault);
  if (!isToolCall) return RPC_BY_KIND[kind] ?? -32603;
  const own = Object.values<OnxRow>(ONX_ROWS).find((row) => row.reason.id === fault.reason);
  const row = own ?? (kind === "invalid_input" ? rowOfSharedRule(fault) : undefined) ?? ONX_BY_KIND[kind];
  if (row !== "rpc") return routeOfRow(fault, row);
  // A backend that does not understand the call refuses its arguments; the message itself was understood.
  return findOriginalError(fault) === undefined ? -32600 : routeOfRow(fault, ONX_ROWS.validation);
}

function rowOfSharedRule(fault: Fault): OnxRow | undefined {
  const [first, ...rest] = fault.issues ?? [];
  return first && rest.every((issue) => issue.rule === first.rule) ? ONX_BY_RULE[first.rule] : undefined;
}

/**
 * The code of a row, or the general code: for an identifier of an adapter, which stands beside a standard code, and for a
 * failure that must not be repeated although the code of its row says so.
 */
function routeOfRow(fault: Fault, row: OnxRoute["row"]): OnxRoute {
  const { code: general } = ONX_ROWS.adapter;
  if (row.extension === true) {
    const code = findOriginalError(fault) === undefined ? row.code : general;
    return { code, row, retryable: fault.retry !== undefined && mayRepeat(fault) };
  }
  if (row.retryable !== true) {
    const byData = fault.retry === undefined ? fault.recourse[0].do === "retry" : mayRepeat(fault);
    return { code: row.code, row, retryable: row.retryable ?? byData };
  }
  if (mayRepeat(fault)) return { code: row.code, row, retryable: true };
  const isRefused = fault.retry?.allowed === false;
  const isHarmless = fault.effect === "none";
  // Beside the kind and an effect, `retryable` is no advice, so a refusal is stated without the kind.
  const read = isRefused && !isHarmless ? ONX_ROWS.adapter : row;
  return { code: general, row: read, retryable: false };
}

/** Whether the failure may be called safe to retry: nothing was changed, or a second call is harmless. */
function mayRepeat({ retry, effect, recourse, quote }: Fault): boolean {
  if (retry?.allowed === false) return false;
  // What another MCP server called safe is passed on, like its text. A wait that a service named says nothing about the effect.
  const isWordOfPeer = retry !== undefined && quote?.from === "peer";
  return isWordOfPeer || effect === "none" || recourse.some((move) => move.do === "retry");
}

/** The backend's identifier, from the params of the fault or of its nearest cause. */
function findOriginalError(fault: Fault): string | undefined {
  const own = fault.params?.["originalError"];
  if (typeof own === "string") return own;
  return fault.cause && findOriginalError(fault.cause);
}
