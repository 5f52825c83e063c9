// What of a fault this wire has a place for.
import { cleanText } from "../../fault/clean.ts";
import { type Fault, type Issue, MAX, type Param, RULES, type Scalar } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { toPointer } from "../../fault/pointer.ts";
import { sayIssues } from "../../render/issues.ts";
import type { EncodeContext } from "../dialect.ts";
import { relayOf } from "../prose.ts";
import { BY_KIND, IN_SECONDS, NOT_FOUND, ROWS, type Row, rowOf, rowOfReason, TOOL_ARGUMENTS } from "./table.ts";

/** The row that a fault goes out as: by its reason where the system has one, else by its kind. */
export function rowFor(fault: Fault, context: EncodeContext): Row {
  const kind = knownKind(fault);
  const [domain = ""] = fault.reason.split("/");
  const ofTool = domain === "tool" || context.method === "tools/call" || context.tool !== undefined;
  let code: number = BY_KIND[kind];
  if (kind === "invalid_input" && ofTool) code = TOOL_ARGUMENTS;
  if (kind === "not_found" && Object.hasOwn(NOT_FOUND, domain)) code = NOT_FOUND[domain] as number;
  return rowOfReason(fault.reason) ?? (rowOf(code) as Row);
}

/** The wire counts whole seconds; a part of one counts as one. */
export function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** The params that have a member in `data`, times rounded to what the wire can say. */
export function paramsFor(fault: Fault, row: Row, context: EncodeContext): Readonly<Record<string, Param>> {
  const own = row.reason.id === fault.reason ? fault.params : undefined;
  const implied = impliedBy(fault, row, context);
  const told: Record<string, Param> = {};
  for (const [member, name] of Object.entries(row.members ?? {})) {
    const param = own?.[name] ?? implied[name];
    if (param === undefined || param === null) continue;
    if (typeof param === "number" && IN_SECONDS.includes(member)) told[name] = wholeSeconds(param) * 1_000;
    else told[name] = isList(param) ? param.filter((item) => item !== null) : param;
  }
  return told;
}

function isList(param: Param): param is readonly Scalar[] {
  return Array.isArray(param);
}

/** What stands elsewhere in a fault, or is known about the call, and has a member here. */
function impliedBy(fault: Fault, row: Row, context: EncodeContext): Readonly<Record<string, Param | undefined>> {
  const limit = row.code === BY_KIND.rate_limited ? fault.limits?.[0] : undefined;
  // The constraint of one argument may not stand beside the name of another.
  const named = row.issue !== undefined && typeof fault.params?.[row.issue.at] === "string";
  const issue = named ? undefined : fault.issues?.[0];
  return {
    tool: cleanText(context.tool, MAX.name),
    limit: limit?.quota,
    windowMs: limit?.windowMs,
    ...(issue !== undefined && row.issue !== undefined && impliedByIssue(issue, row.issue)),
  };
}

function impliedByIssue(issue: Issue, names: NonNullable<Row["issue"]>): Readonly<Record<string, Param | undefined>> {
  if (issue.pointer === "") return {};
  const field = /^\/([\p{L}\p{N}_$@.:-]+)$/u.exec(issue.pointer)?.[1] ?? issue.pointer;
  if (names.constraint === undefined) return issue.rule === "required" ? { [names.at]: field } : {};
  return { [names.at]: field, [names.constraint]: issue.rule === "custom" ? issue.expected : issue.rule };
}

/** The problem with an argument that the members of a row tell. */
export function issueFrom(row: Row, at: (name: string) => unknown): Issue | undefined {
  if (row.issue === undefined) return undefined;
  const field = at(row.issue.at);
  if (typeof field !== "string" || field === "") return undefined;
  const pointer = field.startsWith("/") ? field : toPointer([field]);
  if (row.issue.constraint === undefined) return { pointer, rule: "required" };
  const constraint = at(row.issue.constraint);
  const rule = RULES.find((one) => one === constraint);
  if (rule !== undefined || typeof constraint !== "string") return { pointer, rule: rule ?? "custom" };
  return { pointer, rule: "custom", expected: constraint };
}

/** The sentence: the fixed one where reason and members say it all, else the fault's own, or a peer's. */
export function messageFor(fault: Fault, row: Row): string {
  if (row.prose === undefined && fault.quote !== undefined) return relayOf(fault) ?? fault.message;
  return row.reason.id === fault.reason ? row.message : fault.message;
}

/** Prose beside the sentence: a peer's words where the row has their place, else what is wrong with the arguments. */
export function detailFor(fault: Fault, row: Row, context: EncodeContext): string | undefined {
  if (row.prose !== undefined && fault.quote !== undefined) return relayOf(fault);
  const details = row.reason.id === fault.reason ? fault.params?.["details"] : undefined;
  if (row.prose !== undefined && typeof details === "string" && details !== "") return details;
  const params = paramsFor(fault, row, context);
  const told = issueFrom(row, (name) => params[name]);
  const [first, ...others] = fault.issues ?? [];
  if (first === undefined || (others.length === 0 && told !== undefined && alike(first, told))) return undefined;
  return sayIssues(fault)
    .map((line) => line.replace(/^- /, ""))
    .join(". ");
}

function alike(one: Issue, other: Issue): boolean {
  return one.pointer === other.pointer && one.rule === other.rule && one.expected === other.expected && !one.suggestion;
}

/** The quotation that sentence and prose make together; a fixed message says nothing that the code does not. */
export function quotation(message: string | undefined, detail: string | undefined, reason: string): string | undefined {
  const fixed = ROWS.some((row) => row.reason.id === reason && row.message.toLowerCase() === message?.toLowerCase());
  if (fixed || message === undefined || message === "") return detail;
  return detail === undefined || detail === "" ? message : `${message} (${detail})`;
}
