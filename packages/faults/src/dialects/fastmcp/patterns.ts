import type { FaultDetails } from "../../fault/build.ts";
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
import { LOOK_BEFORE_REPEATING, peerQuote } from "../sentence.ts";
import type { SentencePattern } from "../sentence-patterns.ts";
import { parameterIssues } from "./parameter-issues.ts";
import { pydanticIssues, withoutInputValues } from "./pydantic.ts";

/** Codes that MCP gives no meaning. FastMCP's middleware uses them. */
const FASTMCP_LEGACY_CODES = [-32000, -32001];
/** Codes that the Python servers use for everything else. */
const FASTMCP_ERROR_CODES = [-32602, -32603, -32002, 0];

/** The tool had begun, and what it did before it failed is unknown. */
const TOOL_BEGAN = { effect: "possible" } as const;

/** Quotes the tool's own text, without what the framework wrote in front of it. */
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

/** The sentences in a failed tool result. */
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

/** The sentences in a JSON-RPC error. */
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
