// Every code of erlmcp's document: the error as its example shows it, and the reason that a server throws for it.
import type { FaultError } from "@recourse/core";
import {
  auth,
  completion,
  content,
  core,
  elicitation,
  notification,
  pagination,
  progress,
  prompt,
  protocol,
  resource,
  sampling,
  task,
  tool,
  transport,
} from "@recourse/core/reasons";

/** One code. An error without `data` has no example in the document, which gives it a heading only, or has no data in it. */
export interface Example {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly thrown: () => FaultError;
}

const said = (text: string) => ({ quote: { text, from: "peer" } }) as const;

export const EXAMPLES: readonly Example[] = [
  {
    error: { code: -32700, message: "Parse error", data: "Unexpected token at position 15" },
    thrown: () => protocol.parse_error({}, said("Unexpected token at position 15")),
  },
  {
    error: { code: -32600, message: "Invalid Request", data: "Missing required field: method" },
    thrown: () => protocol.invalid_request({}, said("Missing required field: method")),
  },
  {
    error: { code: -32601, message: "Method not found", data: { method: "nonexistent/method" } },
    thrown: () => protocol.method_not_found({ method: "nonexistent/method" }),
  },
  {
    error: { code: -32602, message: "Invalid params", data: { details: "Missing required parameter: uri" } },
    thrown: () => protocol.invalid_params({}, said("Missing required parameter: uri")),
  },
  { error: { code: -32603, message: "Internal error" }, thrown: () => core.internal() },
  {
    error: { code: -32001, message: "Resource not found", data: { uri: "mcp://nonexistent" } },
    thrown: () => resource.not_found({ uri: "mcp://nonexistent" }),
  },
  {
    error: { code: -32002, message: "Tool not found", data: { tool: "nonexistent_tool" } },
    thrown: () => tool.not_found({ tool: "nonexistent_tool" }),
  },
  {
    error: { code: -32003, message: "Prompt not found", data: { prompt: "nonexistent_prompt" } },
    thrown: () => prompt.not_found({ prompt: "nonexistent_prompt" }),
  },
  {
    error: { code: -32004, message: "Capability not supported", data: { capability: "completions" } },
    thrown: () => protocol.capability_not_supported({ capability: "completions" }),
  },
  {
    error: { code: -32005, message: "Server not initialized", data: { phase: "pre_initialization" } },
    thrown: () => protocol.not_initialized({ phase: "pre_initialization" }),
  },
  {
    error: {
      code: -32006,
      message: "Subscription failed",
      data: { uri: "mcp://config", reason: "already_subscribed" },
    },
    thrown: () => resource.subscription_failed({ uri: "mcp://config", reason: "already_subscribed" }),
  },
  {
    error: { code: -32007, message: "Validation failed", data: { field: "uri", constraint: "valid_uri" } },
    thrown: () => core.validation_failed({ field: "uri", constraint: "valid_uri" }),
  },
  {
    error: { code: -32008, message: "Transport error", data: { reason: "connection_reset" } },
    thrown: () => transport.failed({ reason: "connection_reset" }),
  },
  {
    error: { code: -32009, message: "Request timeout", data: { timeout_ms: 30000, elapsed_ms: 30001 } },
    thrown: () => core.timeout({ timeoutMs: 30_000, elapsedMs: 30_001 }),
  },
  {
    error: { code: -32010, message: "Rate limit exceeded", data: { limit: 100, window: 60, retry_after: 30 } },
    thrown: () => core.rate_limited({ limit: 100, windowMs: 60_000 }, { retry: { allowed: true, afterMs: 30_000 } }),
  },
  {
    error: {
      code: -32011,
      message: "Tool description exceeds maximum length",
      data: { actual_length: 15000, max_length: 10000 },
    },
    thrown: () => tool.description_too_long({ actualLength: 15_000, maxLength: 10_000 }),
  },
  {
    error: {
      code: -32012,
      message: "Message size exceeds maximum allowed",
      data: { actual_size: 20971520, max_size: 16777216, unit: "bytes" },
    },
    thrown: () => content.message_too_large({ actualSize: 20_971_520, maxSize: 16_777_216 }),
  },
  {
    error: { code: -32013, message: "Invalid content type", data: { content_type: "application/xml" } },
    thrown: () => content.invalid_type({ contentType: "application/xml" }),
  },
  { error: { code: -32014, message: "Content too large" }, thrown: () => content.too_large() },
  {
    error: { code: -32015, message: "Invalid encoding", data: { encoding: "utf-8", position: 1234 } },
    thrown: () => content.invalid_encoding({ encoding: "utf-8", position: 1234 }),
  },
  {
    error: { code: -32021, message: "Resource template not found", data: { uri_template: "logs://{date}" } },
    thrown: () => resource.template_not_found({ uriTemplate: "logs://{date}" }),
  },
  {
    error: { code: -32022, message: "Invalid URI", data: { uri: "not-a-valid-uri", reason: "missing_scheme" } },
    thrown: () => resource.invalid_uri({ uri: "not-a-valid-uri", reason: "missing_scheme" }),
  },
  { error: { code: -32023, message: "URI syntax error" }, thrown: () => resource.uri_syntax() },
  {
    error: {
      code: -32025,
      message: "Resource access denied",
      data: { uri: "file:///etc/passwd", required_permission: "read:protected" },
    },
    thrown: () => resource.access_denied({ uri: "file:///etc/passwd", requiredPermission: "read:protected" }),
  },
  {
    error: {
      code: -32029,
      message: "Template render failed",
      data: { uri_template: "logs://{date}", reason: "missing_variable: date" },
    },
    thrown: () => resource.template_render_failed({ uriTemplate: "logs://{date}", reason: "missing_variable: date" }),
  },
  {
    error: {
      code: -32031,
      message: "Tool execution failed",
      data: { tool: "database_query", reason: "connection_timeout" },
    },
    thrown: () => tool.execution_failed({ tool: "database_query", reason: "connection_timeout" }),
  },
  {
    error: { code: -32032, message: "Tool execution timeout", data: { tool: "long_operation", timeout_ms: 30000 } },
    thrown: () => tool.timeout({ tool: "long_operation", timeoutMs: 30_000 }),
  },
  {
    error: {
      code: -32033,
      message: "Tool execution cancelled",
      data: { tool: "long_operation", reason: "user_requested" },
    },
    thrown: () => tool.cancelled({ tool: "long_operation", reason: "user_requested" }),
  },
  {
    error: {
      code: -32034,
      message: "Invalid tool arguments",
      data: { tool: "calculate", details: "Missing required parameter: b" },
    },
    thrown: () => tool.invalid_arguments({ tool: "calculate", details: "Missing required parameter: b" }),
  },
  {
    error: { code: -32043, message: "Prompt argument missing", data: { prompt: "write_essay", argument: "topic" } },
    thrown: () => prompt.argument_missing({ prompt: "write_essay", argument: "topic" }),
  },
  { error: { code: -32044, message: "Prompt render failed" }, thrown: () => prompt.render_failed() },
  {
    error: { code: -32046, message: "Sampling failed", data: { reason: "model_unavailable" } },
    thrown: () => sampling.failed({ reason: "model_unavailable" }),
  },
  {
    error: { code: -32051, message: "Authentication failed", data: { reason: "invalid_token" } },
    thrown: () => auth.failed({ reason: "invalid_token" }),
  },
  {
    error: {
      code: -32052,
      message: "Authorization failed",
      data: { operation: "tools/call:admin_tool", required_role: "admin" },
    },
    thrown: () => auth.not_authorized({ operation: "tools/call:admin_tool", requiredRole: "admin" }),
  },
  { error: { code: -32053, message: "Invalid credentials" }, thrown: () => auth.invalid_credentials() },
  {
    error: { code: -32054, message: "Token expired", data: { expired_at: 1640995200 } },
    thrown: () => auth.token_expired({ expiredAt: 1_640_995_200_000 }),
  },
  { error: { code: -32056, message: "Access denied" }, thrown: () => auth.access_denied() },
  {
    error: {
      code: -32061,
      message: "Unsupported protocol version",
      data: { requested_version: "2020-01-01", supported_versions: ["2025-11-25"] },
    },
    thrown: () => protocol.version_unsupported({ requested: "2020-01-01", supported: ["2025-11-25"] }),
  },
  { error: { code: -32062, message: "Protocol version mismatch" }, thrown: () => protocol.version_mismatch() },
  { error: { code: -32063, message: "Capability negotiation failed" }, thrown: () => protocol.negotiation_failed() },
  {
    error: { code: -32071, message: "Invalid cursor", data: { cursor: "invalid_cursor_string" } },
    thrown: () => pagination.invalid_cursor({ cursor: "invalid_cursor_string" }),
  },
  {
    error: { code: -32072, message: "Cursor expired", data: { cursor: "expired_cursor", ttl_seconds: 300 } },
    thrown: () => pagination.cursor_expired({ cursor: "expired_cursor", ttlMs: 300_000 }),
  },
  {
    error: { code: -32081, message: "Task not found", data: { taskId: "task-123" } },
    thrown: () => task.not_found({ taskId: "task-123" }),
  },
  {
    error: { code: -32083, message: "Task failed", data: { taskId: "task-123", reason: "dependency_failed" } },
    thrown: () => task.failed({ taskId: "task-123", reason: "dependency_failed" }),
  },
  { error: { code: -32084, message: "Task cancelled" }, thrown: () => task.cancelled() },
  { error: { code: -32085, message: "Task timeout" }, thrown: () => task.timeout() },
  {
    error: { code: -32091, message: "Invalid progress token", data: { progressToken: "invalid_token" } },
    thrown: () => progress.invalid_token({ progressToken: "invalid_token" }),
  },
  { error: { code: -32092, message: "Progress token expired" }, thrown: () => progress.token_expired() },
  {
    error: {
      code: -32094,
      message: "Notification failed",
      data: { notification_type: "resources/updated", reason: "subscriber_not_found" },
    },
    thrown: () => notification.failed({ notificationType: "resources/updated", reason: "subscriber_not_found" }),
  },
  { error: { code: -32110, message: "Completion not found" }, thrown: () => completion.not_found() },
  { error: { code: -32111, message: "Invalid completion reference" }, thrown: () => completion.invalid_reference() },
  { error: { code: -32112, message: "Invalid completion argument" }, thrown: () => completion.invalid_argument() },
  { error: { code: -32113, message: "Completion failed" }, thrown: () => completion.failed() },
  { error: { code: 1090, message: "Elicitation failed" }, thrown: () => elicitation.failed() },
  { error: { code: 1091, message: "Elicitation timeout" }, thrown: () => elicitation.timeout() },
];
