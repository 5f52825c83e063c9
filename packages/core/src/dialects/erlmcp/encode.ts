import { cleanText } from "../../fault/clean.ts";
import { FAULT_LIMITS, type Fault, type Issue, type Param, type Scalar } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { isReceived } from "../../fault/provenance.ts";
import * as auth from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import { issueLines, issueOptions, renderQuote } from "../../render/issues.ts";
import { type JsonObject, stringAt } from "../../wire/json.ts";
import { carriedMembers } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { type OwnCode, ownCodeOf, ownParams } from "../own-codes.ts";
import { relayedQuote } from "../sentence.ts";
import { issueFromMembers } from "./decode.ts";
import { type ErlmcpCode, type ErlmcpRow, erlmcpRowOfCode, erlmcpRowOfReason, MEMBERS_IN_SECONDS } from "./table.ts";

/** A JSON-RPC reply with an error object. */
export interface ErlmcpWire {
  /** Code, sentence, and what erlmcp adds to them. */
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject | string };
}

export function encodeErlmcp(fault: Fault, context: EncodeContext, own: readonly OwnCode[]): ErlmcpWire {
  const row = erlmcpRowFor(fault, context, own);
  const detail = erlmcpDetailFor(fault, row, context);
  const members = {
    ...(row.isOwn === true ? ownParams(fault) : erlmcpMembers(fault, row, context)),
    ...retryAfterMember(fault),
    ...carriedMembers(fault, row),
  };
  const data = erlmcpData(row, detail, members);
  const error = { code: row.code, message: erlmcpMessageFor(fault, row, context) };
  return { error: data === undefined ? error : { ...error, data } };
}

function erlmcpMembers(fault: Fault, row: ErlmcpRow, context: EncodeContext): JsonObject {
  const params = erlmcpParamsFor(fault, row, context);
  const data: Record<string, unknown> = {};
  for (const [member, name] of Object.entries(row.members ?? {})) {
    const param = params[name];
    if (param === undefined) continue;
    data[member] = typeof param === "number" && MEMBERS_IN_SECONDS.includes(member) ? wholeSeconds(param) : param;
  }
  return "actual_size" in data || "max_size" in data ? { ...data, unit: "bytes" } : data;
}

/** The wait in seconds. erlmcp cannot express that a call must not be repeated. */
function retryAfterMember({ retry }: Fault): JsonObject {
  return retry?.allowed === true && retry.afterMs !== undefined ? { retry_after: wholeSeconds(retry.afterMs) } : {};
}

/** The text is all of `data` if the row allows it and there are no other members. */
function erlmcpData(row: ErlmcpRow, detail: string | undefined, members: JsonObject): JsonObject | string | undefined {
  const isEmpty = Object.keys(members).length === 0;
  if (detail === undefined) return isEmpty ? undefined : members;
  return isEmpty && row.textIn === "data" ? detail : { ...members, details: detail };
}

const ERLMCP_BY_KIND = {
  invalid_input: -32602,
  invalid_request: -32600,
  unauthenticated: -32051,
  forbidden: -32052,
  approval_required: -32052,
  rate_limited: -32010,
  overloaded: -32010,
  timeout: -32009,
  unavailable: -32008,
  upstream_failed: -32031,
  not_found: -32001,
  conflict: -32006,
  precondition_failed: -32005,
  unsupported: -32601,
  quota_exhausted: -32010,
  cancelled: -32033,
  internal: -32603,
  unknown: -32603,
} as const satisfies Record<Kind, ErlmcpCode>;

/** The code of a kind in a tool call, if it is another one there. */
const TOOL_CODE_BY_KIND: Partial<Readonly<Record<Kind, ErlmcpCode>>> = {
  invalid_input: -32034,
  internal: -32031,
  unknown: -32031,
};

const CODE_BY_REASON: Readonly<Record<string, ErlmcpCode>> = {
  [protocol.missing_client_capability.id]: -32063,
  [protocol.malformed_call.id]: -32602,
};

const INTERNAL_CODE_BY_METHOD: Readonly<Record<string, ErlmcpCode>> = {
  "prompts/get": -32044,
  "completion/complete": -32113,
};

/** The template of the resource that a failed request read, which the server kit passes on. */
function readUriTemplate(context: EncodeContext): string | undefined {
  return context.method === "resources/read" ? stringAt(context, "uriTemplate") : undefined;
}

/** Reasons that say no more than the code that they are written with, so that its fixed message is written too. */
const FIXED_MESSAGE_REASONS: readonly string[] = [
  core.internal.id,
  core.cancelled.id,
  auth.unauthorized.id,
  auth.header_invalid.id,
  auth.insufficient_scope.id,
  protocol.bad_request.id,
  protocol.malformed_call.id,
];

/** The code for `not_found`, by the domain of the reason. */
const NOT_FOUND_BY_DOMAIN: Readonly<Record<string, ErlmcpCode>> = {
  tool: -32002,
  prompt: -32003,
  task: -32081,
  completion: -32110,
};

/** The row that a fault is written as: by its reason if the table has it, else by its kind. */
export function erlmcpRowFor(
  fault: Fault,
  context: EncodeContext,
  added: readonly OwnCode[],
): ErlmcpRow & { readonly isOwn?: true } {
  const yours = ownCodeOf(fault, added);
  if (yours !== undefined) return { ...yours, message: fault.message, isOwn: true };
  const kind = knownKind(fault);
  const [domain = ""] = fault.reason.split("/");
  const ofTool = domain === "tool" || context.method === "tools/call" || context.tool !== undefined;
  let code: number =
    CODE_BY_REASON[fault.reason] ?? (ofTool ? TOOL_CODE_BY_KIND[kind] : undefined) ?? ERLMCP_BY_KIND[kind];
  if (kind === "not_found" && Object.hasOwn(NOT_FOUND_BY_DOMAIN, domain)) code = NOT_FOUND_BY_DOMAIN[domain] as number;
  const byKind = erlmcpRowOfCode(code) as ErlmcpRow;
  if (fault.reason !== core.internal.id) return erlmcpRowOfReason(fault.reason) ?? byKind;
  // What broke in a tool, a template, a prompt or a completion has the code of that.
  const ofMethod = readUriTemplate(context) === undefined ? INTERNAL_CODE_BY_METHOD[context.method ?? ""] : -32029;
  return erlmcpRowOfCode(ofMethod ?? code) ?? byKind;
}

/** Seconds, rounded up because the wire has no smaller unit. */
function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** The params that have a member in `data`. Times are rounded to what the wire can express. */
function erlmcpParamsFor(fault: Fault, row: ErlmcpRow, context: EncodeContext): Readonly<Record<string, Param>> {
  const own = row.reason.id === fault.reason ? fault.params : undefined;
  const implied = paramsImpliedBy(fault, row, context);
  const params: Record<string, Param> = {};
  for (const [member, name] of Object.entries(row.members ?? {})) {
    const param = own?.[name] ?? implied[name];
    if (param === undefined || param === null) continue;
    if (typeof param === "number" && MEMBERS_IN_SECONDS.includes(member)) params[name] = wholeSeconds(param) * 1_000;
    else params[name] = isScalarList(param) ? param.filter((item) => item !== null) : param;
  }
  return params;
}

function isScalarList(param: Param): param is readonly Scalar[] {
  return Array.isArray(param);
}

function paramsImpliedBy(
  fault: Fault,
  row: ErlmcpRow,
  context: EncodeContext,
): Readonly<Record<string, Param | undefined>> {
  const limit = row.code === ERLMCP_BY_KIND.rate_limited ? fault.limits?.[0] : undefined;
  // If a param names an argument, an issue about another argument must not supply the constraint.
  const isNamed = row.issue !== undefined && typeof fault.params?.[row.issue.at] === "string";
  const issue = isNamed ? undefined : fault.issues?.[0];
  return {
    tool: cleanText(context.tool, FAULT_LIMITS.name),
    uriTemplate: cleanText(readUriTemplate(context), FAULT_LIMITS.paramText),
    limit: limit?.quota,
    windowMs: limit?.windowMs,
    ...(issue !== undefined && row.issue !== undefined && paramsImpliedByIssue(issue, row.issue)),
  };
}

function paramsImpliedByIssue(
  issue: Issue,
  names: NonNullable<ErlmcpRow["issue"]>,
): Readonly<Record<string, Param | undefined>> {
  if (issue.pointer === "") return {};
  const field = /^\/([\p{L}\p{N}_$@.:-]+)$/u.exec(issue.pointer)?.[1] ?? issue.pointer;
  if (names.constraint === undefined) return issue.rule === "required" ? { [names.at]: field } : {};
  return { [names.at]: field, [names.constraint]: issue.rule === "custom" ? issue.expected : issue.rule };
}

/** The message: the fixed one if the code says everything, else the message of the fault or the text of a peer. */
function erlmcpMessageFor(fault: Fault, row: ErlmcpRow, context: EncodeContext): string {
  if (row.textIn === undefined && fault.quote !== undefined) return quotedText(fault, context) ?? fault.message;
  const isFixed = row.reason.id === fault.reason || FIXED_MESSAGE_REASONS.includes(fault.reason);
  return isFixed ? row.message : fault.message;
}

/** The text beside the message: a peer's text if the row has a place for it, else the list of issues. */
function erlmcpDetailFor(fault: Fault, row: ErlmcpRow, context: EncodeContext): string | undefined {
  if (row.textIn !== undefined && fault.quote !== undefined) return quotedText(fault, context);
  const details = row.reason.id === fault.reason ? fault.params?.["details"] : undefined;
  if (row.textIn !== undefined && typeof details === "string" && details !== "") return details;
  const params = erlmcpParamsFor(fault, row, context);
  const inMembers = issueFromMembers(row, (name) => params[name]);
  const [first, ...others] = fault.issues ?? [];
  if (first === undefined) return ownSentence(fault, row, context);
  if (others.length === 0 && inMembers !== undefined && isSameIssue(first, inMembers)) return undefined;
  return issueLines(fault, issueOptions(fault))
    .map((line) => line.replace(/^- /, ""))
    .join(". ");
}

/** The text to pass on. If no tool was called, the author of a thrown text is not called a tool. */
function quotedText(fault: Fault, { method = "tools/call" }: EncodeContext): string | undefined {
  const { quote } = fault;
  if (quote?.from !== "thrown" || method === "tools/call") return relayedQuote(fault);
  return renderQuote(quote, { maxLength: FAULT_LIMITS.quote, for: "person" }) || undefined;
}

/** A text explains the failure if it is all of `data`. What was received without one stays without. */
function ownSentence(fault: Fault, row: ErlmcpRow, context: EncodeContext): string | undefined {
  const isSaid = erlmcpMessageFor(fault, row, context) === fault.message;
  return row.textIn === "data" && !isReceived(fault) && !isSaid ? fault.message : undefined;
}

function isSameIssue(one: Issue, other: Issue): boolean {
  const isMore = one.suggestion !== undefined || one.message !== undefined;
  return one.pointer === other.pointer && one.rule === other.rule && one.expected === other.expected && !isMore;
}
