import type { FaultDetails } from "../../fault/build.ts";
import type { Issue } from "../../fault/fault.ts";
import { access_denied } from "../../reasons/library/auth.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import { conflict } from "../../reasons/library/core.ts";
import { not_found as prompt_not_found } from "../../reasons/library/prompt.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import { invalid_uri, not_found as resource_not_found, template_not_found } from "../../reasons/library/resource.ts";
import { invalid_arguments, output_invalid, not_found as tool_not_found } from "../../reasons/library/tool.ts";
import { connection_lost } from "../../reasons/library/transport.ts";
import { arrayAt, isObject, type JsonObject, parseJson, stringAt } from "../../wire/json.ts";
import type { SentencePattern } from "../sentence.ts";
import { fromZod } from "../zod.ts";

const PARAMS_CODES = [-32602];
/** Codes that MCP gives no meaning. The SDK uses them for failures of its transports. */
const SDK_LEGACY_CODES = [-32000, -32001];
const FROM_CLIENT = { origin: { layer: "client" } } as const;

export const SDK_PATTERNS: readonly SentencePattern[] = [
  {
    pattern: /^Input validation error: Invalid arguments for tool ([^\n:]{1,128}):/,
    reason: invalid_arguments,
    params: ([tool]) => ({ tool }),
  },
  // Other versions of the SDK, and servers that throw it themselves, write no words in front.
  {
    pattern: /^Invalid arguments for tool ([^\n:]{1,128}):/,
    codes: PARAMS_CODES,
    reason: invalid_arguments,
    params: ([tool]) => ({ tool }),
    details: issuesFromJson,
  },
  { pattern: /^Input validation error: /, reason: invalid_arguments },
  { pattern: /^Output validation error: /, reason: output_invalid },
  {
    pattern: /^Tool ([^\n]{1,128}) (?:not found|disabled)$/,
    codes: PARAMS_CODES,
    reason: tool_not_found,
    params: ([tool]) => ({ tool }),
  },
  {
    pattern: /^Prompt ([^\n]{1,128}) (?:not found|disabled)$/,
    codes: PARAMS_CODES,
    reason: prompt_not_found,
    params: ([prompt]) => ({ prompt }),
  },
  {
    pattern: /^Resource template ([^\s]{1,256}) (?:not found|disabled)$/,
    codes: PARAMS_CODES,
    reason: template_not_found,
    params: ([uriTemplate]) => ({ uriTemplate }),
  },
  {
    pattern: /^Resource ([^\s]{1,256}) (?:not found|disabled)$/,
    codes: PARAMS_CODES,
    reason: resource_not_found,
    params: ([uri]) => ({ uri }),
  },
  {
    pattern: /^Resource not found: ([^\s]{1,256})$/,
    codes: PARAMS_CODES,
    reason: resource_not_found,
    params: ([uri]) => ({ uri }),
  },
  {
    pattern: /^Resource URI ([^\n]{1,256}) is invalid$/,
    codes: PARAMS_CODES,
    reason: invalid_uri,
    params: ([uri]) => ({ uri }),
  },
  {
    pattern: /^Invalid params: [^\n]{1,300} per-request envelope/,
    codes: PARAMS_CODES,
    reason: protocol.invalid_request,
  },
  { pattern: /^Invalid tools\/call request: /, codes: PARAMS_CODES, reason: protocol.malformed_call },
  { pattern: /^Invalid tools\/call result: /, codes: PARAMS_CODES, reason: output_invalid },
  {
    pattern: /^Invalid [a-z/]{1,40} request: /,
    codes: PARAMS_CODES,
    reason: protocol.invalid_params,
    details: issuesFromJson,
  },
  { pattern: /^Invalid [a-z/]{1,40} result: /, codes: PARAMS_CODES, reason: protocol.invalid_result },
  { pattern: /^Invalid or expired requestState$/, codes: PARAMS_CODES, reason: protocol.request_state_invalid },
  // The SDK reports params of the wrong type as an internal error, whose text is the validator's JSON.
  {
    pattern: /^\[\s*\{[^[]{1,200}"path": \[\s*"params"/,
    codes: [-32603],
    reason: protocol.invalid_params,
    details: issuesFromJson,
  },
  // The SDK's client checks results against the output schemas that the server listed.
  {
    pattern: /^Tool [^\n]{1,128} has an output schema but did not return structured content$/,
    codes: [-32600],
    reason: output_invalid,
    details: () => FROM_CLIENT,
  },
  {
    pattern: /^(?:Structured content does not match the tool's output schema|Failed to validate structured content): /,
    codes: PARAMS_CODES,
    reason: output_invalid,
    details: () => FROM_CLIENT,
  },
  { pattern: /^Session not found$/, codes: SDK_LEGACY_CODES, reason: protocol.session_not_found },
  { pattern: /^Bad Request: Server not initialized$/, codes: SDK_LEGACY_CODES, reason: protocol.not_initialized },
  {
    pattern: /^Bad Request: Unsupported protocol version: ([^\s]{1,64}) \(supported versions: ([^)]{1,400})\)$/,
    codes: SDK_LEGACY_CODES,
    reason: protocol.version_unsupported,
    params: ([requested, supported]) => ({ requested, supported: supported?.split(", ") }),
  },
  {
    pattern: /^Payload Too Large: Request body must not exceed (\d{1,15}) bytes$/,
    codes: SDK_LEGACY_CODES,
    reason: message_too_large,
    params: ([size]) => ({ maxSize: Number(size) }),
  },
  { pattern: /^Method not allowed\.$/, codes: SDK_LEGACY_CODES, reason: protocol.http_method },
  {
    pattern: /^(?:Not Acceptable|Unsupported Media Type|Bad Request): /,
    codes: SDK_LEGACY_CODES,
    reason: protocol.bad_request,
  },
  { pattern: /^Conflict: /, codes: SDK_LEGACY_CODES, reason: conflict },
  { pattern: /^Invalid (?:Host|Origin)\b/, codes: SDK_LEGACY_CODES, reason: access_denied },
  {
    pattern: /^Connection closed$/,
    codes: SDK_LEGACY_CODES,
    reason: connection_lost,
    details: () => ({ origin: { layer: "transport" } }),
  },
];

/** A sentence that any tool may write as well, so it is only a guess. */
export const SDK_GUESSED_PATTERNS: readonly SentencePattern[] = [
  {
    pattern: /^Tool ([^\n]{1,128}) (?:not found|disabled)$/,
    reason: tool_not_found,
    params: ([tool]) => ({ tool }),
    details: () => ({ basis: "guessed", effect: "possible" }),
  },
];

const REQUEST_ENVELOPE = ["params", "arguments"];

function issuesFromJson(text: string): FaultDetails {
  const list = parseJson(text.slice(Math.max(0, text.indexOf("["))));
  const issues = (Array.isArray(list) ? list : []).filter(isObject).map(fromRequestIssue);
  return issues.length === 0 ? {} : { issues };
}

/** The path of an issue starts at the request, and the pointer of a fault at the arguments. */
function fromRequestIssue(problem: JsonObject): Issue {
  const path = arrayAt(problem, "path").filter((key, index) => key !== REQUEST_ENVELOPE[index]);
  const message = stringAt(problem, "message");
  const isAuthored = problem["code"] === "custom" && message !== undefined && message !== "Invalid input";
  return { ...fromZod({ ...problem, path }), ...(isAuthored && { message }) };
}
