// What erlmcp writes of a fault: the members of `data`, the message and the text beside it.
import { cleanText } from "../../fault/clean.ts";
import { type Fault, ISSUE_RULES, type Issue, MAX, type Param, type Scalar } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";
import { isReceived } from "../../fault/provenance.ts";
import { renderQuote } from "../../render/details.ts";
import { issueLines } from "../../render/issues.ts";
import type { EncodeContext } from "../dialect.ts";
import { relayedQuote } from "../sentence.ts";
import { ERLMCP_BY_KIND, FIXED_MESSAGE_REASONS, uriTemplateOf } from "./choose-row.ts";
import { ERLMCP_ROWS, type ErlmcpRow, MEMBERS_IN_SECONDS } from "./table.ts";

/** Seconds, rounded up because the wire has no smaller unit. */
export function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** The params that have a member in `data`. Times are rounded to what the wire can express. */
export function erlmcpParamsFor(fault: Fault, row: ErlmcpRow, context: EncodeContext): Readonly<Record<string, Param>> {
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

/** Params from other places of the fault, and from the call. */
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
    tool: cleanText(context.tool, MAX.name),
    uriTemplate: cleanText(uriTemplateOf(context), MAX.paramText),
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

/** Reads the issue that the members of a row describe. */
export function issueFromMembers(row: ErlmcpRow, at: (name: string) => unknown): Issue | undefined {
  if (row.issue === undefined) return undefined;
  const field = at(row.issue.at);
  if (typeof field !== "string" || field === "") return undefined;
  const pointer = field.startsWith("/") ? field : toPointer([field]);
  if (row.issue.constraint === undefined) return { pointer, rule: "required" };
  const constraint = at(row.issue.constraint);
  const rule = ISSUE_RULES.find((one) => one === constraint);
  if (rule !== undefined || typeof constraint !== "string") return { pointer, rule: rule ?? "custom" };
  return { pointer, rule: "custom", expected: constraint };
}

/** The message: the fixed one where the code says everything, else the message of the fault or the text of a peer. */
export function erlmcpMessageFor(fault: Fault, row: ErlmcpRow, context: EncodeContext): string {
  if (row.textIn === undefined && fault.quote !== undefined) return quotedText(fault, context) ?? fault.message;
  const isFixed = row.reason.id === fault.reason || FIXED_MESSAGE_REASONS.includes(fault.reason);
  return isFixed ? row.message : fault.message;
}

/** The text beside the message: a peer's text where the row has a place for it, else the list of issues. */
export function erlmcpDetailFor(fault: Fault, row: ErlmcpRow, context: EncodeContext): string | undefined {
  if (row.textIn !== undefined && fault.quote !== undefined) return quotedText(fault, context);
  const details = row.reason.id === fault.reason ? fault.params?.["details"] : undefined;
  if (row.textIn !== undefined && typeof details === "string" && details !== "") return details;
  const params = erlmcpParamsFor(fault, row, context);
  const inMembers = issueFromMembers(row, (name) => params[name]);
  const [first, ...others] = fault.issues ?? [];
  if (first === undefined) return ownSentence(fault, row, context);
  if (others.length === 0 && inMembers !== undefined && isSameIssue(first, inMembers)) return undefined;
  return issueLines(fault, { received: isReceived(fault) })
    .map((line) => line.replace(/^- /, ""))
    .join(". ");
}

/** The text to pass on. Where no tool was called, the author of a thrown text is not called a tool. */
function quotedText(fault: Fault, { method = "tools/call" }: EncodeContext): string | undefined {
  const { quote } = fault;
  if (quote?.from !== "thrown" || method === "tools/call") return relayedQuote(fault);
  return renderQuote(quote, { maxLength: MAX.quote, for: "person" }) || undefined;
}

/** A text explains the failure where it is all of `data`. What was received without one stays without. */
function ownSentence(fault: Fault, row: ErlmcpRow, context: EncodeContext): string | undefined {
  const isSaid = erlmcpMessageFor(fault, row, context) === fault.message;
  return row.textIn === "data" && !isReceived(fault) && !isSaid ? fault.message : undefined;
}

function isSameIssue(one: Issue, other: Issue): boolean {
  return one.pointer === other.pointer && one.rule === other.rule && one.expected === other.expected && !one.suggestion;
}

/** The quote that message and text make together. A fixed message is left out: the code says the same. */
export function erlmcpQuote(
  message: string | undefined,
  detail: string | undefined,
  reason: string,
): string | undefined {
  const isFixed = ERLMCP_ROWS.some(
    (row) => row.reason.id === reason && row.message.toLowerCase() === message?.toLowerCase(),
  );
  if (isFixed || message === undefined || message === "") return detail;
  return detail === undefined || detail === "" ? message : `${message} (${detail})`;
}
