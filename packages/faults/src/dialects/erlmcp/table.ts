import type { Severity } from "../../fault/severity.ts";
import * as auth from "../../reasons/library/auth.ts";
import { access_denied } from "../../reasons/library/auth.ts";
import * as completion from "../../reasons/library/completion.ts";
import { failed as completion_failed } from "../../reasons/library/completion.ts";
import * as content from "../../reasons/library/content.ts";
import * as core from "../../reasons/library/core.ts";
import { internal, validation_failed } from "../../reasons/library/core.ts";
import * as elicitation from "../../reasons/library/elicitation.ts";
import * as notification from "../../reasons/library/notification.ts";
import * as pagination from "../../reasons/library/pagination.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import * as progress from "../../reasons/library/progress.ts";
import * as prompt from "../../reasons/library/prompt.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import { invalid_request, negotiation_failed } from "../../reasons/library/protocol.ts";
import * as resource from "../../reasons/library/resource.ts";
import * as sampling from "../../reasons/library/sampling.ts";
import * as task from "../../reasons/library/task.ts";
import { failed as task_failed } from "../../reasons/library/task.ts";
import * as tool from "../../reasons/library/tool.ts";
import { execution_failed } from "../../reasons/library/tool.ts";
import * as transport from "../../reasons/library/transport.ts";
import type { TableReason } from "../dialect.ts";

/** One code of erlmcp: its members on the wire, and its reason. */
export interface ErlmcpRow {
  readonly code: number;
  /** erlmcp's fixed message: that of its example, or else its heading, written as the messages of the examples are. */
  readonly message: string;
  readonly reason: TableReason;
  /** The param of each member of `data`. */
  readonly members?: Readonly<Record<string, string>>;
  /** Where a text about this failure goes, if not into the message: `data` itself, or its member `details`. */
  readonly textIn?: "data" | "details";
  /** The members that name a wrong argument and its constraint. Without a constraint the argument is missing. */
  readonly issue?: { readonly at: string; readonly constraint?: string };
}

const SIZE_MEMBERS = { actual_size: "actualSize", max_size: "maxSize" } as const;

/** The 56 codes of erlmcp. A reason with two codes is written with the first. */
export const ERLMCP_ROWS = [
  { code: -32700, message: "Parse error", reason: protocol.parse_error, textIn: "data" },
  { code: -32600, message: "Invalid Request", reason: protocol.invalid_request, textIn: "data" },
  { code: -32601, message: "Method not found", reason: protocol.method_not_found, members: { method: "method" } },
  { code: -32602, message: "Invalid params", reason: protocol.invalid_params, textIn: "details" },
  { code: -32603, message: "Internal error", reason: core.internal },

  { code: -32001, message: "Resource not found", reason: resource.not_found, members: { uri: "uri" } },
  { code: -32002, message: "Tool not found", reason: tool.not_found, members: { tool: "tool" } },
  { code: -32003, message: "Prompt not found", reason: prompt.not_found, members: { prompt: "prompt" } },
  {
    code: -32004,
    message: "Capability not supported",
    reason: protocol.capability_not_supported,
    members: { capability: "capability" },
  },
  { code: -32005, message: "Server not initialized", reason: protocol.not_initialized, members: { phase: "phase" } },
  {
    code: -32006,
    message: "Subscription failed",
    reason: resource.subscription_failed,
    members: { uri: "uri", reason: "reason" },
  },
  {
    code: -32007,
    message: "Validation failed",
    reason: core.validation_failed,
    members: { field: "field", constraint: "constraint" },
    issue: { at: "field", constraint: "constraint" },
  },
  { code: -32008, message: "Transport error", reason: transport.failed, members: { reason: "reason" } },
  {
    code: -32009,
    message: "Request timeout",
    reason: core.timeout,
    members: { timeout_ms: "timeoutMs", elapsed_ms: "elapsedMs" },
  },
  {
    code: -32010,
    message: "Rate limit exceeded",
    reason: core.rate_limited,
    members: { limit: "limit", window: "windowMs" },
  },

  {
    code: -32011,
    message: "Tool description exceeds maximum length",
    reason: tool.description_too_long,
    members: { actual_length: "actualLength", max_length: "maxLength" },
  },
  {
    code: -32012,
    message: "Message size exceeds maximum allowed",
    reason: content.message_too_large,
    members: SIZE_MEMBERS,
  },
  {
    code: -32013,
    message: "Invalid content type",
    reason: content.invalid_type,
    members: { content_type: "contentType" },
  },
  { code: -32014, message: "Content too large", reason: content.too_large, members: SIZE_MEMBERS },
  {
    code: -32015,
    message: "Invalid encoding",
    reason: content.invalid_encoding,
    members: { encoding: "encoding", position: "position" },
  },

  {
    code: -32021,
    message: "Resource template not found",
    reason: resource.template_not_found,
    members: { uri_template: "uriTemplate" },
  },
  { code: -32022, message: "Invalid URI", reason: resource.invalid_uri, members: { uri: "uri", reason: "reason" } },
  { code: -32023, message: "URI syntax error", reason: resource.uri_syntax },
  {
    code: -32025,
    message: "Resource access denied",
    reason: resource.access_denied,
    members: { uri: "uri", required_permission: "requiredPermission" },
  },
  {
    code: -32029,
    message: "Template render failed",
    reason: resource.template_render_failed,
    members: { uri_template: "uriTemplate", reason: "reason" },
  },

  {
    code: -32031,
    message: "Tool execution failed",
    reason: tool.execution_failed,
    members: { tool: "tool", reason: "reason" },
  },
  {
    code: -32032,
    message: "Tool execution timeout",
    reason: tool.timeout,
    members: { tool: "tool", timeout_ms: "timeoutMs" },
  },
  {
    code: -32033,
    message: "Tool execution cancelled",
    reason: tool.cancelled,
    members: { tool: "tool", reason: "reason" },
  },
  {
    code: -32034,
    message: "Invalid tool arguments",
    reason: tool.invalid_arguments,
    members: { tool: "tool" },
    textIn: "details",
  },

  {
    code: -32043,
    message: "Prompt argument missing",
    reason: prompt.argument_missing,
    members: { prompt: "prompt", argument: "argument" },
    issue: { at: "argument" },
  },
  { code: -32044, message: "Prompt render failed", reason: prompt.render_failed },
  { code: -32046, message: "Sampling failed", reason: sampling.failed, members: { reason: "reason" } },

  { code: -32051, message: "Authentication failed", reason: auth.failed, members: { reason: "reason" } },
  {
    code: -32052,
    message: "Authorization failed",
    reason: auth.not_authorized,
    members: { operation: "operation", required_role: "requiredRole" },
  },
  { code: -32053, message: "Invalid credentials", reason: auth.invalid_credentials },
  { code: -32054, message: "Token expired", reason: auth.token_expired, members: { expired_at: "expiredAt" } },
  { code: -32056, message: "Access denied", reason: auth.access_denied },

  {
    code: -32061,
    message: "Unsupported protocol version",
    reason: protocol.version_unsupported,
    members: { requested_version: "requested", supported_versions: "supported" },
  },
  { code: -32062, message: "Protocol version mismatch", reason: protocol.version_mismatch },
  { code: -32063, message: "Capability negotiation failed", reason: protocol.negotiation_failed },

  { code: -32071, message: "Invalid cursor", reason: pagination.invalid_cursor, members: { cursor: "cursor" } },
  {
    code: -32072,
    message: "Cursor expired",
    reason: pagination.cursor_expired,
    members: { cursor: "cursor", ttl_seconds: "ttlMs" },
  },

  { code: -32081, message: "Task not found", reason: task.not_found, members: { taskId: "taskId" } },
  { code: -32083, message: "Task failed", reason: task.failed, members: { taskId: "taskId", reason: "reason" } },
  { code: -32084, message: "Task cancelled", reason: task.cancelled, members: { taskId: "taskId" } },
  {
    code: -32085,
    message: "Task timeout",
    reason: task.timeout,
    members: { taskId: "taskId", timeout_ms: "timeoutMs" },
  },

  {
    code: -32091,
    message: "Invalid progress token",
    reason: progress.invalid_token,
    members: { progressToken: "progressToken" },
  },
  { code: -32092, message: "Progress token expired", reason: progress.token_expired },
  {
    code: -32094,
    message: "Notification failed",
    reason: notification.failed,
    members: { notification_type: "notificationType", reason: "reason" },
  },

  { code: -32110, message: "Completion not found", reason: completion.not_found },
  { code: -32111, message: "Invalid completion reference", reason: completion.invalid_reference },
  { code: -32112, message: "Invalid completion argument", reason: completion.invalid_argument },
  { code: -32113, message: "Completion failed", reason: completion.failed },

  { code: 1090, message: "Elicitation failed", reason: elicitation.failed },
  { code: 1091, message: "Elicitation timeout", reason: elicitation.timeout },
  { code: 1095, message: "Task not found (positive)", reason: task.not_found, members: { taskId: "taskId" } },
] as const satisfies readonly ErlmcpRow[];

/** A code that erlmcp defines. */
export type ErlmcpCode = (typeof ERLMCP_ROWS)[number]["code"];

/** Members of `data` that count seconds. Their params count milliseconds. */
export const MEMBERS_IN_SECONDS: readonly string[] = ["window", "ttl_seconds", "expired_at"];

/** erlmcp's limits, and its wait after a rate limit that names none. */
export const ERLMCP_DEFAULTS = {
  maxDescriptionLength: 10_000,
  maxMessageBytes: 16_777_216,
  retryAfterMs: 30_000,
} as const;

/** Returns the row of a code, if erlmcp defines it. */
export function erlmcpRowOfCode(code: number): ErlmcpRow | undefined {
  return ERLMCP_ROWS.find((row) => row.code === code);
}

/** Returns the first row of a reason, if the table has it. */
export function erlmcpRowOfReason(id: string): ErlmcpRow | undefined {
  return ERLMCP_ROWS.find((row) => row.reason.id === id);
}

interface CodeRange {
  readonly from: number;
  readonly to: number;
  /** The reason of a code in the range that erlmcp does not define: the most general one of the category. */
  readonly reason: TableReason;
}

/** The thirteen categories and their ranges. */
export const ERROR_CATEGORIES = {
  jsonrpc: { from: -32700, to: -32600, reason: invalid_request },
  mcp_core: { from: -32010, to: -32001, reason: internal },
  content: { from: -32020, to: -32011, reason: validation_failed },
  resource: { from: -32030, to: -32021, reason: validation_failed },
  tool: { from: -32040, to: -32031, reason: execution_failed },
  prompt: { from: -32050, to: -32041, reason: internal },
  auth: { from: -32060, to: -32051, reason: access_denied },
  protocol: { from: -32070, to: -32061, reason: negotiation_failed },
  pagination: { from: -32080, to: -32071, reason: invalid_cursor },
  task: { from: -32090, to: -32081, reason: task_failed },
  progress: { from: -32100, to: -32091, reason: internal },
  completion: { from: -32113, to: -32110, reason: completion_failed },
  experimental: { from: 1090, to: 1099, reason: internal },
} as const satisfies Record<string, CodeRange>;

/** One of the thirteen categories. */
export type ErrorCategory = keyof typeof ERROR_CATEGORIES;

/** The severity of single codes, which wins over that of a range. */
const SEVERITY_BY_CODE: Readonly<Record<number, Severity>> = {
  [-32700]: "critical",
  [-32600]: "critical",
  [-32603]: "critical",
  [-32601]: "error",
  [-32602]: "error",
};

/** Returns the category whose range a code is in, or undefined. */
export function errorCategory(code: number): ErrorCategory | undefined {
  if (!Number.isInteger(code)) return undefined;
  const names = Object.keys(ERROR_CATEGORIES) as ErrorCategory[];
  return names.find((name) => code >= ERROR_CATEGORIES[name].from && code <= ERROR_CATEGORIES[name].to);
}

/** Checks whether a code is inside one of erlmcp's ranges, defined or not. */
export function validateErrorCode(code: number): boolean {
  return errorCategory(code) !== undefined;
}

/** Returns the severity of a code; `info` for every code that erlmcp does not rank. */
export function errorSeverity(code: number): Severity {
  const ranked = SEVERITY_BY_CODE[code];
  if (ranked !== undefined) return ranked;
  if (!Number.isInteger(code) || code > -32001 || code < -32080) return "info";
  return code >= -32010 ? "error" : "warning";
}
