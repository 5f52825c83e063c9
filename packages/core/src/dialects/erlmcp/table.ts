import type { Severity } from "../../fault/severity.ts";
import * as auth from "../../reasons/library/auth.ts";
import * as completion from "../../reasons/library/completion.ts";
import * as content from "../../reasons/library/content.ts";
import * as core from "../../reasons/library/core.ts";
import * as elicitation from "../../reasons/library/elicitation.ts";
import * as notification from "../../reasons/library/notification.ts";
import * as pagination from "../../reasons/library/pagination.ts";
import * as progress from "../../reasons/library/progress.ts";
import * as prompt from "../../reasons/library/prompt.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import * as resource from "../../reasons/library/resource.ts";
import * as sampling from "../../reasons/library/sampling.ts";
import * as task from "../../reasons/library/task.ts";
import * as tool from "../../reasons/library/tool.ts";
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

/** The params of members that are not named alike. */
const PARAM_NAMES: Readonly<Record<string, string>> = {
  window: "windowMs",
  ttl_seconds: "ttlMs",
  requested_version: "requested",
  supported_versions: "supported",
};

/** A row, with the names of its members. */
function row<const C extends number>(
  code: C,
  message: string,
  reason: TableReason,
  names = "",
  more: Pick<ErlmcpRow, "textIn" | "issue"> = {},
) {
  const paramOf = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const members = Object.fromEntries(names.split(" ").map((name) => [name, PARAM_NAMES[name] ?? paramOf(name)]));
  return { code, message, reason, ...(names !== "" && { members }), ...more };
}

/** The 56 codes of erlmcp. A reason with two codes is written with the first. */
export const ERLMCP_ROWS = [
  row(-32700, "Parse error", protocol.parse_error, "", { textIn: "data" }),
  row(-32600, "Invalid Request", protocol.invalid_request, "", { textIn: "data" }),
  row(-32601, "Method not found", protocol.method_not_found, "method"),
  row(-32602, "Invalid params", protocol.invalid_params, "", { textIn: "details" }),
  row(-32603, "Internal error", core.internal),

  row(-32001, "Resource not found", resource.not_found, "uri"),
  row(-32002, "Tool not found", tool.not_found, "tool"),
  row(-32003, "Prompt not found", prompt.not_found, "prompt"),
  row(-32004, "Capability not supported", protocol.capability_not_supported, "capability"),
  row(-32005, "Server not initialized", protocol.not_initialized, "phase"),
  row(-32006, "Subscription failed", resource.subscription_failed, "uri reason"),
  row(-32007, "Validation failed", core.validation_failed, "field constraint", {
    issue: { at: "field", constraint: "constraint" },
  }),
  row(-32008, "Transport error", transport.failed, "reason"),
  row(-32009, "Request timeout", core.timeout, "timeout_ms elapsed_ms"),
  row(-32010, "Rate limit exceeded", core.rate_limited, "limit window"),

  row(-32011, "Tool description exceeds maximum length", tool.description_too_long, "actual_length max_length"),
  row(-32012, "Message size exceeds maximum allowed", content.message_too_large, "actual_size max_size"),
  row(-32013, "Invalid content type", content.invalid_type, "content_type"),
  row(-32014, "Content too large", content.too_large, "actual_size max_size"),
  row(-32015, "Invalid encoding", content.invalid_encoding, "encoding position"),

  row(-32021, "Resource template not found", resource.template_not_found, "uri_template"),
  row(-32022, "Invalid URI", resource.invalid_uri, "uri reason"),
  row(-32023, "URI syntax error", resource.uri_syntax),
  row(-32025, "Resource access denied", resource.access_denied, "uri required_permission"),
  row(-32029, "Template render failed", resource.template_render_failed, "uri_template reason"),

  row(-32031, "Tool execution failed", tool.execution_failed, "tool reason"),
  row(-32032, "Tool execution timeout", tool.timeout, "tool timeout_ms"),
  row(-32033, "Tool execution cancelled", tool.cancelled, "tool reason"),
  row(-32034, "Invalid tool arguments", tool.invalid_arguments, "tool", { textIn: "details" }),

  row(-32043, "Prompt argument missing", prompt.argument_missing, "prompt argument", { issue: { at: "argument" } }),
  row(-32044, "Prompt render failed", prompt.render_failed),
  row(-32046, "Sampling failed", sampling.failed, "reason"),

  row(-32051, "Authentication failed", auth.failed, "reason"),
  row(-32052, "Authorization failed", auth.not_authorized, "operation required_role"),
  row(-32053, "Invalid credentials", auth.invalid_credentials),
  row(-32054, "Token expired", auth.token_expired, "expired_at"),
  row(-32056, "Access denied", auth.access_denied),

  row(-32061, "Unsupported protocol version", protocol.version_unsupported, "requested_version supported_versions"),
  row(-32062, "Protocol version mismatch", protocol.version_mismatch),
  row(-32063, "Capability negotiation failed", protocol.negotiation_failed),

  row(-32071, "Invalid cursor", pagination.invalid_cursor, "cursor"),
  row(-32072, "Cursor expired", pagination.cursor_expired, "cursor ttl_seconds"),

  row(-32081, "Task not found", task.not_found, "taskId"),
  row(-32083, "Task failed", task.failed, "taskId reason"),
  row(-32084, "Task cancelled", task.cancelled, "taskId"),
  row(-32085, "Task timeout", task.timeout, "taskId timeout_ms"),

  row(-32091, "Invalid progress token", progress.invalid_token, "progressToken"),
  row(-32092, "Progress token expired", progress.token_expired),
  row(-32094, "Notification failed", notification.failed, "notification_type reason"),

  row(-32110, "Completion not found", completion.not_found),
  row(-32111, "Invalid completion reference", completion.invalid_reference),
  row(-32112, "Invalid completion argument", completion.invalid_argument),
  row(-32113, "Completion failed", completion.failed),

  row(1090, "Elicitation failed", elicitation.failed),
  row(1091, "Elicitation timeout", elicitation.timeout),
  row(1095, "Task not found (positive)", task.not_found, "taskId"),
] as const satisfies readonly ErlmcpRow[];

export type ErlmcpCode = (typeof ERLMCP_ROWS)[number]["code"];

/** Members of `data` that count seconds. Their params count milliseconds. */
export const MEMBERS_IN_SECONDS: readonly string[] = ["window", "ttl_seconds", "expired_at"];

/** erlmcp's limits, and its wait after a rate limit that names none. */
export const ERLMCP_DEFAULTS = {
  maxDescriptionLength: 10_000,
  maxMessageBytes: 16_777_216,
  retryAfterMs: 30_000,
} as const;

export function erlmcpRowOfCode(code: number): ErlmcpRow | undefined {
  return ERLMCP_ROWS.find((row) => row.code === code);
}

export function erlmcpRowOfReason(id: string): ErlmcpRow | undefined {
  return ERLMCP_ROWS.find((row) => row.reason.id === id);
}

interface CodeRange {
  readonly from: number;
  readonly to: number;
  /** The reason of a code in the range that erlmcp does not define: the most general one of the category. */
  readonly reason: TableReason;
}

export const ERROR_CATEGORIES = {
  jsonrpc: { from: -32700, to: -32600, reason: protocol.invalid_request },
  mcp_core: { from: -32010, to: -32001, reason: core.internal },
  content: { from: -32020, to: -32011, reason: core.validation_failed },
  resource: { from: -32030, to: -32021, reason: core.validation_failed },
  tool: { from: -32040, to: -32031, reason: tool.execution_failed },
  prompt: { from: -32050, to: -32041, reason: core.internal },
  auth: { from: -32060, to: -32051, reason: auth.access_denied },
  protocol: { from: -32070, to: -32061, reason: protocol.negotiation_failed },
  pagination: { from: -32080, to: -32071, reason: pagination.invalid_cursor },
  task: { from: -32090, to: -32081, reason: task.failed },
  progress: { from: -32100, to: -32091, reason: core.internal },
  completion: { from: -32113, to: -32110, reason: completion.failed },
  experimental: { from: 1090, to: 1099, reason: core.internal },
} as const satisfies Record<string, CodeRange>;

export type ErrorCategory = keyof typeof ERROR_CATEGORIES;

/** The severity of single codes, which wins over that of a range. */
const SEVERITY_BY_CODE: Readonly<Record<number, Severity>> = {
  [-32700]: "critical",
  [-32600]: "critical",
  [-32603]: "critical",
  [-32601]: "error",
  [-32602]: "error",
};

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
