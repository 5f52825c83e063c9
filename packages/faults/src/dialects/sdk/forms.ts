import type { Details } from "../../fault/build.ts";
import { access_denied } from "../../reasons/library/auth.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import { conflict } from "../../reasons/library/core.ts";
import { not_found as prompt_not_found } from "../../reasons/library/prompt.ts";
import {
  bad_request,
  http_method,
  invalid_params,
  invalid_request,
  invalid_result,
  malformed_call,
  not_initialized,
  request_state_invalid,
  session_not_found,
  version_unsupported,
} from "../../reasons/library/protocol.ts";
import { invalid_uri, not_found as resource_not_found, template_not_found } from "../../reasons/library/resource.ts";
import { invalid_arguments, output_invalid, not_found as tool_not_found } from "../../reasons/library/tool.ts";
import { connection_lost } from "../../reasons/library/transport.ts";
import type { Form } from "../forms.ts";
import { zodIssues } from "./zod.ts";

const PARAMS = [-32602];
const LEGACY = [-32000, -32001];
const LOCAL = { origin: { layer: "client" } } as const;

/** Problems that stand in a text as the validator's own JSON. */
const withIssues = (text: string): Details => {
  const issues = zodIssues(text);
  return issues.length === 0 ? {} : { issues };
};

/** What the official SDK's servers and clients write, versions 1 and 2. */
export const FORMS: readonly Form[] = [
  {
    says: /^Input validation error: Invalid arguments for tool ([^\n:]{1,128}):/,
    reason: invalid_arguments,
    params: ([tool]) => ({ tool }),
  },
  { says: /^Input validation error: /, reason: invalid_arguments },
  { says: /^Output validation error: /, reason: output_invalid },
  {
    says: /^Tool ([^\n]{1,128}) (?:not found|disabled)$/,
    codes: PARAMS,
    reason: tool_not_found,
    params: ([tool]) => ({ tool }),
  },
  {
    says: /^Prompt ([^\n]{1,128}) (?:not found|disabled)$/,
    codes: PARAMS,
    reason: prompt_not_found,
    params: ([prompt]) => ({ prompt }),
  },
  {
    says: /^Resource template ([^\s]{1,256}) (?:not found|disabled)$/,
    codes: PARAMS,
    reason: template_not_found,
    params: ([uriTemplate]) => ({ uriTemplate }),
  },
  {
    says: /^Resource ([^\s]{1,256}) (?:not found|disabled)$/,
    codes: PARAMS,
    reason: resource_not_found,
    params: ([uri]) => ({ uri }),
  },
  {
    says: /^Resource not found: ([^\s]{1,256})$/,
    codes: PARAMS,
    reason: resource_not_found,
    params: ([uri]) => ({ uri }),
  },
  {
    says: /^Resource URI ([^\n]{1,256}) is invalid$/,
    codes: PARAMS,
    reason: invalid_uri,
    params: ([uri]) => ({ uri }),
  },
  { says: /^Invalid params: [^\n]{1,300} per-request envelope/, codes: PARAMS, reason: invalid_request },
  { says: /^Invalid tools\/call request: /, codes: PARAMS, reason: malformed_call },
  { says: /^Invalid tools\/call result: /, codes: PARAMS, reason: output_invalid },
  { says: /^Invalid [a-z/]{1,40} request: /, codes: PARAMS, reason: invalid_params, details: withIssues },
  { says: /^Invalid [a-z/]{1,40} result: /, codes: PARAMS, reason: invalid_result },
  { says: /^Invalid or expired requestState$/, codes: PARAMS, reason: request_state_invalid },
  // Parameters of the wrong type come as an internal error, whose text is the validator's JSON.
  {
    says: /^\[\s*\{[^[]{1,200}"path": \[\s*"params"/,
    codes: [-32603],
    reason: invalid_params,
    details: withIssues,
  },
  // The client checks results against the schemas it has listed.
  {
    says: /^Tool [^\n]{1,128} has an output schema but did not return structured content$/,
    codes: [-32600],
    reason: output_invalid,
    details: () => LOCAL,
  },
  {
    says: /^(?:Structured content does not match the tool's output schema|Failed to validate structured content): /,
    codes: PARAMS,
    reason: output_invalid,
    details: () => LOCAL,
  },
  { says: /^Session not found$/, codes: LEGACY, reason: session_not_found },
  { says: /^Bad Request: Server not initialized$/, codes: LEGACY, reason: not_initialized },
  {
    says: /^Bad Request: Unsupported protocol version: ([^\s]{1,64}) \(supported versions: ([^)]{1,400})\)$/,
    codes: LEGACY,
    reason: version_unsupported,
    params: ([requested, supported]) => ({ requested, supported: supported?.split(", ") }),
  },
  {
    says: /^Payload Too Large: Request body must not exceed (\d{1,15}) bytes$/,
    codes: LEGACY,
    reason: message_too_large,
    params: ([size]) => ({ maxSize: Number(size) }),
  },
  { says: /^Method not allowed\.$/, codes: LEGACY, reason: http_method },
  { says: /^(?:Not Acceptable|Unsupported Media Type|Bad Request): /, codes: LEGACY, reason: bad_request },
  { says: /^Conflict: /, codes: LEGACY, reason: conflict },
  { says: /^Invalid (?:Host|Origin)\b/, codes: LEGACY, reason: access_denied },
  {
    says: /^Connection closed$/,
    codes: LEGACY,
    reason: connection_lost,
    details: () => ({ origin: { layer: "transport" } }),
  },
];

/** The same sentence without a code may be any tool's own. */
export const GUESSED_FORMS: readonly Form[] = [
  {
    says: /^Tool ([^\n]{1,128}) (?:not found|disabled)$/,
    reason: tool_not_found,
    params: ([tool]) => ({ tool }),
    details: () => ({ basis: "guessed", effect: "possible" }),
  },
];
