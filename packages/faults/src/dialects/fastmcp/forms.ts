import type { Details } from "../../fault/build.ts";
import { access_denied, insufficient_scope } from "../../reasons/library/auth.ts";
import { internal, not_found, rate_limited, timeout } from "../../reasons/library/core.ts";
import { argument_missing, not_found as prompt_not_found, render_failed } from "../../reasons/library/prompt.ts";
import { not_found as resource_not_found } from "../../reasons/library/resource.ts";
import {
  execution_failed,
  invalid_arguments,
  output_invalid,
  not_found as tool_not_found,
  timeout as tool_timeout,
} from "../../reasons/library/tool.ts";
import type { Form } from "../forms.ts";
import { quoteOf } from "../prose.ts";
import { pydanticIssues, withoutValues } from "./pydantic.ts";

const LEGACY = [-32000, -32001];
const ANY_ERROR = [-32602, -32603, -32002, 0];

/** The call failed somewhere inside: the model reads what was said and looks before it repeats. */
const SAID = { recourse: [{ do: "refresh" }, { do: "stop" }] } as const;
/** The tool had begun, so what it did before is not known. */
const RAN = { effect: "possible" } as const;

const said = (text: string | undefined): Details => ({ ...SAID, ...quoteOf(text) });
const checked = (text: string): Details => {
  const issues = pydanticIssues(text);
  return { ...(issues.length > 0 && { issues }), ...quoteOf(withoutValues(text)) };
};

/** What FastMCP and the Python SDK write into a failed result. */
export const TOOL_FORMS: readonly Form[] = [
  {
    says: /^Unknown tool: (?:'([^'\n]{1,128})'|([^'\s]{1,128}))$/,
    reason: tool_not_found,
    params: ([quoted, bare]) => ({ tool: quoted ?? bare }),
  },
  {
    says: /^\d{1,4} validation errors? for call\[([^\]\n]{1,128})\]\n/,
    reason: invalid_arguments,
    params: ([tool]) => ({ tool }),
    details: checked,
  },
  {
    says: /^Error executing tool ([^\s:]{1,128}): \d{1,4} validation errors? for \1Arguments\n/,
    reason: invalid_arguments,
    params: ([tool]) => ({ tool }),
    details: checked,
  },
  {
    says: /^(?:Error calling tool '[^'\n]{1,128}': )?Tool '([^'\n]{1,128})' execution timed out after (\d{1,9}(?:\.\d{1,6})?)s$/,
    reason: tool_timeout,
    params: ([tool, seconds]) => ({ tool, timeoutMs: Number(seconds) * 1_000 }),
  },
  {
    says: /^Error calling tool '([^'\n]{1,128})'(?:: ([\s\S]*))?$/,
    reason: execution_failed,
    params: ([tool]) => ({ tool }),
    details: (_, [, text]) => said(text),
  },
  {
    says: /^Error executing tool ([^\s:]{1,128}): ([\s\S]*)$/,
    reason: execution_failed,
    params: ([tool]) => ({ tool }),
    details: (_, [, text]) => said(text),
  },
  { says: /^Input validation error: /, reason: invalid_arguments },
  { says: /^Output validation error: /, reason: output_invalid },
  { says: /^Rate limited by upstream API, please retry later$/, reason: rate_limited, details: () => RAN },
  { says: /^Upstream request timed out, please retry$/, reason: timeout, details: () => RAN },
  {
    says: /^Insufficient scope\. Required: ([^\n]{1,400})$/,
    reason: insufficient_scope,
    params: ([scopes]) => ({ scopes: scopes?.split(", ") }),
  },
];

/** What they write as errors of JSON-RPC. */
export const ERROR_FORMS: readonly Form[] = [
  { says: /^Rate limit exceeded(?::|$| for client: )/, codes: LEGACY, reason: rate_limited },
  { says: /^Permission denied: /, codes: LEGACY, reason: access_denied },
  { says: /^Request timeout: /, codes: LEGACY, reason: timeout },
  { says: /^Not found: /, codes: LEGACY, reason: not_found },
  {
    says: /^Tool '([^'\n]{1,128})' execution timed out after (\d{1,9}(?:\.\d{1,6})?)s$/,
    codes: LEGACY,
    reason: tool_timeout,
    params: ([tool, seconds]) => ({ tool, timeoutMs: Number(seconds) * 1_000 }),
  },
  {
    says: /^Unknown tool: (?:'([^'\n]{1,128})'|([^'\s]{1,128}))$/,
    codes: ANY_ERROR,
    reason: tool_not_found,
    params: ([quoted, bare]) => ({ tool: quoted ?? bare }),
  },
  {
    says: /^Unknown prompt: (?:'([^'\n]{1,128})'|([^'\s]{1,128}))$/,
    codes: ANY_ERROR,
    reason: prompt_not_found,
    params: ([quoted, bare]) => ({ prompt: quoted ?? bare }),
  },
  {
    says: /^Unknown resource: (?:'([^'\n]{1,256})'|([^'\s]{1,256}))$/,
    codes: ANY_ERROR,
    reason: resource_not_found,
    params: ([quoted, bare]) => ({ uri: quoted ?? bare }),
  },
  {
    says: /^Missing required arguments: \{'([^'\n]{1,64})'/,
    codes: ANY_ERROR,
    reason: argument_missing,
    params: ([argument]) => ({ argument }),
  },
  { says: /^Error rendering prompt /, codes: ANY_ERROR, reason: render_failed },
  { says: /^Error reading resource /, codes: ANY_ERROR, reason: internal },
];
