// What tools declared about their failures, as a table, and as codes in `tools/list`.

import type { Dialect, TableReason } from "../../dialects/dialect.ts";
import { mcp } from "../../dialects/mcp/dialect.ts";
import { amendFault, repeatableFault } from "../../fault/amend.ts";
import { FAULT_LIMITS, type Fault } from "../../fault/fault.ts";
import { isEffectAssumed } from "../../fault/provenance.ts";
import { libraryReason } from "../../reasons/library/by-id.ts";
import { toLine } from "../../safety/line.ts";
import { arrayAt, isObject, memberAt, objectAt, stringAt } from "../../wire/json.ts";
import { CODES_KEY, DECLARES_KEY } from "../../wire/names.ts";
import { DECLARED_REASONS } from "./declares.ts";

/** The `_meta` of a tool, as far as it is about failures. */
interface ToolMeta {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of the reasons that a tool declared; undefined if it declared nothing. */
function declaredIds(tool: ToolMeta): readonly string[] | undefined {
  const list = tool._meta?.[DECLARES_KEY];
  return Array.isArray(list) ? list : undefined;
}

/** The reasons that a tool declared. One that is not known here is undefined. */
function declaredReasons(tool: ToolMeta): readonly (TableReason | undefined)[] {
  const ids = declaredIds(tool) ?? [];
  return DECLARED_REASONS.get(ids) ?? ids.map((id) => libraryReason(String(id)));
}

/**
 * A fault of a reason as calls of a tool have it: with the values that are always the same, such as the identifier of a
 * backend, and by what the annotations say: without an effect if the tool only reads, to be repeated if that is safe.
 */
function typicalFault(reason: TableReason, tool: { readonly annotations?: unknown }): Fault {
  const only = Object.entries(reason.slots).flatMap(([name, { choices = [] }]) =>
    choices.length === 1 ? [[name, choices[0]] as const] : [],
  );
  const fault = reason.fault(Object.fromEntries(only));
  if (fault.effect !== "possible") return fault;
  if (memberAt(tool.annotations, "readOnlyHint") === true) return amendFault(fault, { effect: "none" });
  const isRepeatable = memberAt(tool.annotations, "idempotentHint") === true && isEffectAssumed(fault);
  return isRepeatable ? repeatableFault(fault) : fault;
}

/** A tool with the failures that it declared: one that is registered, one of the list that you register, or one of `tools/list`. */
export interface DeclaringTool {
  /** Name of the tool. */
  readonly name: string;
  /** What `declares` returned. @default the tool declares nothing */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Its annotations: some systems have another code for failures of a tool that only reads, or that may be repeated.
   * @default it may change something, and may not be repeated
   */
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined;
}

/** Options of `failureTable`. */
export interface FailureTableOptions {
  /** The dialect whose codes are shown. */
  readonly dialect: Dialect<unknown>;
}

const TABLE_HEAD = ["| tool | code | meaning | retry |", "| --- | --- | --- | --- |"];

/**
 * A Markdown table of how each tool may fail, from what it declared, in the codes of a dialect. Reasons with the same code
 * share a line. Tools that declared nothing are left out. A list from another server has the names of its reasons and their
 * codes; what they mean is then unknown.
 *
 * @example
 * const tools = [{ name: "cancel_order", _meta: declares(orders.not_found, orders.shipped) }];
 * writeFileSync("docs/failures.md", failureTable(tools, { dialect: closient }));
 */
export function failureTable(tools: readonly DeclaringTool[], { dialect }: FailureTableOptions): string {
  const lines = tools.flatMap((tool) => (declaredIds(tool) === undefined ? [] : tableLines(tool, dialect)));
  return `${[...TABLE_HEAD, ...lines].join("\n")}\n`;
}

interface DeclaredFailure {
  readonly code: string;
  readonly meaning: string;
  readonly retry: "yes" | "no" | "unknown";
}

function tableLines(tool: DeclaringTool, dialect: Dialect<unknown>): readonly string[] {
  const name = inCode(tool.name);
  const declared = declaredFailures(tool, dialect);
  if (declared.length === 0) return [`| ${name} | none | | |`];
  return [...Map.groupBy(declared, ({ code }) => code)].map(([code, same]) => {
    const retry = (["yes", "unknown"] as const).find((one) => same.some((failure) => failure.retry === one)) ?? "no";
    return `| ${name} | ${code} | ${same.map(({ meaning }) => meaning).join("<br>")} | ${retry} |`;
  });
}

function declaredFailures(tool: DeclaringTool, dialect: Dialect<unknown>): readonly DeclaredFailure[] {
  const context = { method: "tools/call", tool: tool.name };
  const reasons = declaredReasons(tool);
  const listed = arrayAt(tool._meta, CODES_KEY);
  return (declaredIds(tool) ?? []).map((id, at): DeclaredFailure => {
    const reason = reasons[at];
    // A list from elsewhere has the codes of reasons that only its server knows.
    if (reason === undefined) {
      return { code: codeText(listed[at]), meaning: `unknown (${inCode(String(id))})`, retry: "unknown" };
    }
    const fault = typicalFault(reason, tool);
    const meaning = `${reasonMeaning(reason)} (${reason.id})`.replaceAll(/[\\|]/g, "\\$&");
    const read = dialect.decode(dialect.encode(fault, context), context) ?? fault;
    const retry = saysRetry(read) ? "yes" : "no";
    return { code: codeText(dialect.codes?.codeOf(fault, context)), meaning, retry };
  });
}

function codeText(code: unknown): string {
  if (typeof code === "number") return String(code);
  if (typeof code !== "string") return "–";
  return PLAIN_NAME.test(code) ? code : inCode(code);
}

const PLAIN_NAME = /^[\w./-]+$/;

/** A name as code. What could end the code or the cell is written as a character reference. */
function inCode(name: string): string {
  if (PLAIN_NAME.test(name)) return `\`${name}\``;
  const line = toLine(name, FAULT_LIMITS.paramText).replaceAll(
    /[^\w ./-]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return `<code>${line}</code>`;
}

/** Whether a client reads that the call may be repeated. */
function saysRetry({ retry, recourse }: Fault): boolean {
  return retry?.allowed ?? recourse[0].do === "retry";
}

/** The sentence of a reason: the names of its values instead of the values, without the parts that may be missing. */
function reasonMeaning({ text }: TableReason): string {
  return text.replaceAll(/\[[^\]]*\]/g, "").replaceAll(/\{(\w+)\}/g, "‹$1›");
}

/**
 * The result of `tools/list` with the codes of the declared failures. A dialect without codes adds nothing, and a dialect
 * that throws does not keep the list back.
 */
export function withCodes(result: unknown, dialect: Dialect<unknown>): unknown {
  if (dialect === (mcp as Dialect<unknown>) || !isObject(result)) return result;
  try {
    return { ...result, tools: arrayAt(result, "tools").map((listed) => withToolCodes(listed, dialect)) };
  } catch {
    return result;
  }
}

function withToolCodes(listed: unknown, { codes }: Dialect<unknown>): unknown {
  if (!isObject(listed) || memberAt(listed["_meta"], CODES_KEY) !== undefined) return listed;
  const tool = stringAt(listed, "name") ?? "";
  const reasons = declaredReasons(listed);
  if (reasons.length === 0) return listed;
  // A reason without a code has null, so that the two lists match.
  const ofReasons = reasons.map(
    (reason) => reason && codes?.codeOf(typicalFault(reason, listed), { method: "tools/call", tool }),
  );
  return { ...listed, _meta: { ...objectAt(listed, "_meta"), [CODES_KEY]: ofReasons.map((code) => code ?? null) } };
}
