import type { FaultDetails } from "../../fault/build.ts";
import type { Fault, Issue, IssueRule } from "../../fault/fault.ts";
import { access_denied, insufficient_scope } from "../../reasons/library/auth.ts";
import { internal, not_found, rate_limited, timeout } from "../../reasons/library/core.ts";
import { argument_missing, not_found as prompt_not_found, render_failed } from "../../reasons/library/prompt.ts";
import { not_found as resource_not_found } from "../../reasons/library/resource.ts";
import {
  execution_failed,
  invalid_arguments,
  output_invalid,
  failed as tool_failed,
  not_found as tool_not_found,
  timeout as tool_timeout,
} from "../../reasons/library/tool.ts";
import { toPointer } from "../../wire/json.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Decoder } from "../dialect.ts";
import { firstText, splitReply } from "../envelope.ts";
import { stripCodePrefix } from "../rpc.ts";
import { LOOK_BEFORE_REPEATING, matchSentence, peerQuote, type SentencePattern } from "../sentence.ts";
import { fromZod } from "../zod.ts";

// The sentences that FastMCP and the Python SDK write, and the lists of wrong parameters in them: `path: message`, separated
// by commas, of FastMCP for TypeScript, and the report of Pydantic.

/** Messages contain commas, so a problem begins where a path does. */
const PROBLEM = /(?:^|, )([\w$.-]{1,256}): /g;
const MAX_PROBLEMS = 32;
const NO_PATH = "root";

const ZOD_CODE_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/^invalid option/i, "invalid_value"],
  [/^invalid input|^required\b|^expected /i, "invalid_type"],
  [/^too small|must be at least/i, "too_small"],
  [/^too big|must be at most/i, "too_big"],
  [/^unrecognized key/i, "unrecognized_keys"],
  [/^invalid /i, "invalid_format"],
];

function parameterIssues(text: string): readonly Issue[] {
  const found = [...text.matchAll(PROBLEM)].slice(0, MAX_PROBLEMS);
  return found.map((match, at) => {
    const path = match[1] === NO_PATH ? "" : (match[1] ?? "");
    const message = text.slice(match.index + match[0].length, found[at + 1]?.index);
    return fromZod({
      path,
      message,
      code: ZOD_CODE_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? "custom",
    });
  });
}

const PYDANTIC_RULES: Readonly<Record<string, IssueRule>> = {
  missing: "required",
  missing_argument: "required",
  missing_keyword_only_argument: "required",
  missing_positional_only_argument: "required",
  extra_forbidden: "unknown",
  unexpected_keyword_argument: "unknown",
  literal_error: "choice",
  enum: "choice",
  string_pattern_mismatch: "format",
  greater_than: "range",
  greater_than_equal: "range",
  less_than: "range",
  less_than_equal: "range",
  multiple_of: "range",
  too_long: "length",
  too_short: "length",
  string_too_long: "length",
  string_too_short: "length",
};
const PYDANTIC_SUFFIXES: readonly (readonly [string, IssueRule])[] = [
  ["_type", "type"],
  ["_parsing", "type"],
  ["_from_float", "type"],
  ["_format", "format"],
];

/** Error types whose message a tool's author wrote, possibly with the received value in it. */
const AUTHORED_TYPES = ["value_error", "assertion_error"];
const PROBLEM_LINE = /^ {2}([^\n]{1,400}?) \[type=([a-z_]{1,60})[,\]]/;
const MAX_TEXT_LINES = 400;

/** Reads the issues in Pydantic's text: one line with the path, followed by a line with the problem. */
export function pydanticIssues(text: string): Issue[] {
  const issues: Issue[] = [];
  const lines = text.split("\n", MAX_TEXT_LINES);
  for (let at = 1; at < lines.length; at++) {
    const found = PROBLEM_LINE.exec(lines[at] as string);
    const path = lines[at - 1] as string;
    if (found === null || path === "" || path.startsWith(" ")) continue;
    const [, message = "", type = ""] = found;
    issues.push({
      pointer: toPointer(path.split(".")),
      rule: pydanticRule(type),
      ...(!AUTHORED_TYPES.includes(type) && { expected: message }),
    });
  }
  return issues;
}

function pydanticRule(type: string): IssueRule {
  const own = Object.hasOwn(PYDANTIC_RULES, type) ? PYDANTIC_RULES[type] : undefined;
  return own ?? PYDANTIC_SUFFIXES.find(([ending]) => type.endsWith(ending))?.[1] ?? "custom";
}

/** Removes the received values and the links to Pydantic's documentation from its text. */
export function withoutInputValues(text: string): string {
  return text
    .split("\n", MAX_TEXT_LINES)
    .filter((line) => !line.startsWith("    For further information visit "))
    .map((line) => {
      const value = line.indexOf(", input_value=");
      return value < 0 ? line : `${line.slice(0, value)}]`;
    })
    .join("\n");
}

/** Codes that MCP gives no meaning. FastMCP's middleware uses them. */
const FASTMCP_LEGACY_CODES = [-32000, -32001];
/** Codes that the Python servers use for everything else. */
const FASTMCP_ERROR_CODES = [-32602, -32603, -32002, 0];

/** The tool had begun, and what it did before it failed is unknown. */
const TOOL_BEGAN = { effect: "possible" } as const;

function toolTextDetails(text: string | undefined): FaultDetails {
  return { recourse: LOOK_BEFORE_REPEATING, ...peerQuote(text) };
}

function validationDetails(text: string): FaultDetails {
  const issues = pydanticIssues(text);
  return { ...(issues.length > 0 && { issues }), ...peerQuote(withoutInputValues(text)) };
}

/** What FastMCP for TypeScript says about wrong parameters, and the advice that it ends with. */
const PARAMETERS_INVALID: SentencePattern = {
  pattern:
    /^Tool '([^'\n]{1,128})' parameter validation failed: ([^\n]{1,8000}?)(?:\. Please check the parameter types[^\n]*)?$/,
  reason: invalid_arguments,
  params: ([tool]) => ({ tool }),
  details: (_, [, problems = ""]) => {
    const issues = parameterIssues(problems);
    return issues.length > 0 ? { issues } : {};
  },
};

export const FASTMCP_TOOL_PATTERNS: readonly SentencePattern[] = [
  {
    pattern: /^Unknown tool: (?:'([^'\n]{1,128})'|([^'\s]{1,128}))$/,
    reason: tool_not_found,
    params: ([quoted, bare]) => ({ tool: quoted ?? bare }),
  },
  {
    pattern: /^\d{1,4} validation errors? for call\[([^\]\n]{1,128})\]\n/,
    reason: invalid_arguments,
    params: ([tool]) => ({ tool }),
    details: validationDetails,
  },
  {
    pattern: /^Error executing tool ([^\s:]{1,128}): \d{1,4} validation errors? for \1Arguments\n/,
    reason: invalid_arguments,
    params: ([tool]) => ({ tool }),
    details: validationDetails,
  },
  {
    pattern:
      /^(?:Error calling tool '[^'\n]{1,128}': )?Tool '([^'\n]{1,128})' execution timed out after (\d{1,9}(?:\.\d{1,6})?)s$/,
    reason: tool_timeout,
    params: ([tool, seconds]) => ({ tool, timeoutMs: Number(seconds) * 1_000 }),
  },
  // The tool threw, and the server hides what.
  {
    pattern: /^Error calling tool '([^'\n]{1,128})'$/,
    reason: execution_failed,
    params: ([tool]) => ({ tool }),
    details: () => toolTextDetails(undefined),
  },
  // Authors throw exceptions for ordinary refusals too, so the sentence proves no defect.
  {
    pattern: /^Error calling tool '([^'\n]{1,128})': ([\s\S]*)$/,
    reason: tool_failed,
    params: ([tool]) => ({ tool }),
    details: (_, [, text]) => toolTextDetails(text),
  },
  {
    pattern: /^Error executing tool ([^\s:]{1,128}): ([\s\S]*)$/,
    reason: tool_failed,
    params: ([tool]) => ({ tool }),
    details: (_, [, text]) => toolTextDetails(text),
  },
  // These are of FastMCP for TypeScript.
  PARAMETERS_INVALID,
  {
    pattern: /^Tool '([^'\n]{1,128})' timed out after (\d{1,9})ms\. Consider /,
    reason: tool_timeout,
    params: ([tool, ms]) => ({ tool, timeoutMs: Number(ms) }),
  },
  { pattern: /^Tool '[^'\n]{1,128}' structured output validation failed: /, reason: output_invalid },
  {
    pattern: /^Tool '([^'\n]{1,128})' execution failed: ([\s\S]*)$/,
    reason: tool_failed,
    params: ([tool]) => ({ tool }),
    details: (_, [, text]) => toolTextDetails(text),
  },
  { pattern: /^Input validation error: /, reason: invalid_arguments },
  { pattern: /^Output validation error: /, reason: output_invalid },
  { pattern: /^Rate limited by upstream API, please retry later$/, reason: rate_limited, details: () => TOOL_BEGAN },
  { pattern: /^Upstream request timed out, please retry$/, reason: timeout, details: () => TOOL_BEGAN },
  {
    pattern: /^Insufficient scope\. Required: ([^\n]{1,400})$/,
    reason: insufficient_scope,
    params: ([scopes]) => ({ scopes: scopes?.split(", ") }),
  },
];

export const FASTMCP_ERROR_PATTERNS: readonly SentencePattern[] = [
  { ...PARAMETERS_INVALID, codes: [-32602] },
  { pattern: /^Rate limit exceeded(?::|$| for client: )/, codes: FASTMCP_LEGACY_CODES, reason: rate_limited },
  { pattern: /^Permission denied: /, codes: FASTMCP_LEGACY_CODES, reason: access_denied },
  { pattern: /^Request timeout: /, codes: FASTMCP_LEGACY_CODES, reason: timeout },
  { pattern: /^Not found: /, codes: FASTMCP_LEGACY_CODES, reason: not_found },
  {
    pattern: /^Tool '([^'\n]{1,128})' execution timed out after (\d{1,9}(?:\.\d{1,6})?)s$/,
    codes: FASTMCP_LEGACY_CODES,
    reason: tool_timeout,
    params: ([tool, seconds]) => ({ tool, timeoutMs: Number(seconds) * 1_000 }),
  },
  {
    pattern: /^Unknown tool: (?:'([^'\n]{1,128})'|([^'\s]{1,128}))$/,
    codes: [...FASTMCP_ERROR_CODES, -32601],
    reason: tool_not_found,
    params: ([quoted, bare]) => ({ tool: quoted ?? bare }),
  },
  {
    pattern: /^Unknown prompt: (?:'([^'\n]{1,128})'|([^'\s]{1,128}))$/,
    codes: FASTMCP_ERROR_CODES,
    reason: prompt_not_found,
    params: ([quoted, bare]) => ({ prompt: quoted ?? bare }),
  },
  {
    pattern: /^Unknown resource: (?:'([^'\n]{1,256})'|([^'\s]{1,256}))$/,
    codes: FASTMCP_ERROR_CODES,
    reason: resource_not_found,
    params: ([quoted, bare]) => ({ uri: quoted ?? bare }),
  },
  {
    pattern: /^Missing required arguments: \{'([^'\n]{1,64})'/,
    codes: FASTMCP_ERROR_CODES,
    reason: argument_missing,
    params: ([argument]) => ({ argument }),
  },
  { pattern: /^Error rendering prompt /, codes: FASTMCP_ERROR_CODES, reason: render_failed },
  { pattern: /^Error reading resource /, codes: FASTMCP_ERROR_CODES, reason: internal },
];

/** Reads a sentence of FastMCP or the Python SDK; undefined for every other sentence. */
export function decodeFastmcp(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = splitReply(wire);
  if (result?.["isError"] === true) {
    return matchSentence(FASTMCP_TOOL_PATTERNS, { text: firstText(result) ?? "", code: undefined }, context);
  }
  if (error?.message === undefined) return undefined;
  // FastMCP for TypeScript is built on version 1 of the SDK, which writes the code in front of the text.
  const { text } = stripCodePrefix(error.message);
  return matchSentence(FASTMCP_ERROR_PATTERNS, { text, code: error.code }, context);
}

/**
 * FastMCP and the Python SDK: the fixed sentences of their servers.
 *
 * It only reads. Reason, params and issues come from the sentence, which becomes the quote; received values in the
 * validator's text are removed.
 *
 * @example
 * import { fastmcp } from "@recourse/faults/dialects";
 *
 * fastmcp.decode({ isError: true, content: [{ type: "text", text: "Unknown tool: 'serch'" }] })?.reason;
 * // "tool/not_found"
 */
export const fastmcp: Decoder = { name: "fastmcp", decode: createDecoder(decodeFastmcp) };
