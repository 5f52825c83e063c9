import type { Dialect, TableReason } from "../../dialects/dialect.ts";
import { type Fault, MAX } from "../../fault/fault.ts";
import { CODES_KEY } from "../../json/names.ts";
import { arrayAt } from "../../json/read.ts";
import { toLine } from "../../safety/line.ts";
import { declaredBy, declaredReasons, typicalFault } from "./declares.ts";

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

const HEAD = ["| tool | code | meaning | retry |", "| --- | --- | --- | --- |"];

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
  const lines = tools.flatMap((tool) => (declaredBy(tool) === undefined ? [] : linesOf(tool, dialect)));
  return `${[...HEAD, ...lines].join("\n")}\n`;
}

/** A failure that a tool declared, as it stands in the table. */
interface Declared {
  readonly code: string;
  readonly meaning: string;
  readonly retry: "yes" | "no" | "unknown";
}

function linesOf(tool: DeclaringTool, dialect: Dialect<unknown>): readonly string[] {
  const name = inCode(tool.name);
  const declared = declaredFailures(tool, dialect);
  if (declared.length === 0) return [`| ${name} | none | | |`];
  return [...Map.groupBy(declared, ({ code }) => code)].map(([code, same]) => {
    const retry = (["yes", "unknown"] as const).find((one) => same.some((failure) => failure.retry === one)) ?? "no";
    return `| ${name} | ${code} | ${same.map(({ meaning }) => meaning).join("<br>")} | ${retry} |`;
  });
}

function declaredFailures(tool: DeclaringTool, dialect: Dialect<unknown>): readonly Declared[] {
  const context = { method: "tools/call", tool: tool.name };
  const reasons = declaredReasons(tool);
  const listed = arrayAt(tool._meta, CODES_KEY);
  return (declaredBy(tool) ?? []).map((id, at): Declared => {
    const reason = reasons[at];
    // A list from elsewhere has the codes of reasons that only its server knows.
    if (reason === undefined) {
      return { code: codeText(listed[at]), meaning: `unknown (${inCode(String(id))})`, retry: "unknown" };
    }
    const fault = typicalFault(reason, tool);
    const meaning = `${meaningOf(reason)} (${reason.id})`.replaceAll(/[\\|]/g, "\\$&");
    const retry = isRetryable(dialect.afterRoundTrip(fault, context)) ? "yes" : "no";
    return { code: codeText(dialect.codes?.codeOf(fault, context)), meaning, retry };
  });
}

function codeText(code: unknown): string {
  if (typeof code === "number") return String(code);
  if (typeof code !== "string") return "–";
  return PLAIN.test(code) ? code : inCode(code);
}

const PLAIN = /^[\w./-]+$/;

/** A name as code. What could end the code or the cell is written as a character reference. */
function inCode(name: string): string {
  if (PLAIN.test(name)) return `\`${name}\``;
  const line = toLine(name, MAX.paramText).replaceAll(/[^\w ./-]/gu, (character) => `&#${character.codePointAt(0)};`);
  return `<code>${line}</code>`;
}

/** Whether a client reads that the call may be repeated. */
function isRetryable({ retry, recourse }: Fault): boolean {
  return retry?.allowed ?? recourse[0].do === "retry";
}

/** The sentence of a reason: the names of its values instead of the values, without the parts that may be missing. */
function meaningOf({ text }: TableReason): string {
  return text.replaceAll(/\[[^\]]*\]/g, "").replaceAll(/\{(\w+)\}/g, "‹$1›");
}
