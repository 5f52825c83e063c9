import type { Effect } from "../../fault/kinds.ts";

/** What a code means when one sender sends it. */
export interface CodeRow {
  /** Who sends it. */
  readonly sender: string;
  /** The HTTP status that it comes with, if that is what tells it from other meanings. */
  readonly status?: number;
  /** What happened, without a full stop. */
  readonly meaning: string;
  /** The reason of the library that says the same. */
  readonly reason: string;
  /** Whether the call may have changed something. @default what the kind of the reason says */
  readonly effect?: Effect;
  /** What to do, without a full stop. @default what the kind of the reason says */
  readonly advice?: string;
}

const JSON_RPC = "JSON-RPC and MCP";
const MCP_OLD = "MCP up to 2025-11-25";
const MCP_NEW = "MCP 2026-07-28";
const MCP_HTTP = "MCP over HTTP";
const V1 = "MCP SDK v1, your side";
const V2 = "MCP SDK v2, your side";
const EITHER = "MCP SDK v1/v2, your side";
const SERVERS = "MCP SDK v1/v2 server";
const V2_SERVER = "MCP SDK v2 server";
const V1_SERVER = "MCP SDK v1 server";
const FAST_TS = "FastMCP (TypeScript)";
const FAST_PY = "FastMCP (Python)";

const NEW_SESSION = "initialize again";

/**
 * What numbers and names of codes mean beyond the five systems: in the protocol, in the official SDKs, and in servers,
 * frameworks and gateways that were run or read. The codes of the five systems stand with the reasons.
 */
export const CODES = {
  "-32700": [
    { sender: JSON_RPC, meaning: "the message is not valid JSON", reason: "protocol/parse_error" },
    {
      sender: V1_SERVER,
      status: 400,
      meaning: "the body is not JSON, or is JSON and no JSON-RPC message",
      reason: "protocol/parse_error",
    },
  ],
  "-32600": [
    { sender: JSON_RPC, meaning: "the message is not a valid request", reason: "protocol/invalid_request" },
    {
      sender: EITHER,
      meaning: "the tool has an output schema and its result has no structured content",
      reason: "tool/output_invalid",
      effect: "possible",
    },
    { sender: "mcp-server-kubernetes", meaning: "the tool does not exist", reason: "tool/not_found" },
  ],
  "-32601": [
    { sender: JSON_RPC, meaning: "the server does not have this method", reason: "protocol/method_not_found" },
    {
      sender: MCP_NEW,
      status: 404,
      meaning: "the method does not exist, or was removed",
      reason: "protocol/method_not_found",
    },
    { sender: `${FAST_TS}, firecrawl-mcp`, meaning: "the tool does not exist", reason: "tool/not_found" },
    { sender: "ContextForge", meaning: "the tool does not exist", reason: "tool/not_found" },
  ],
  "-32602": [
    { sender: JSON_RPC, meaning: "the parameters are wrong", reason: "protocol/invalid_params" },
    { sender: `${MCP_NEW}, ${V2_SERVER}`, meaning: "the tool does not exist", reason: "tool/not_found" },
    { sender: MCP_NEW, meaning: "the resource does not exist; data.uri names it", reason: "resource/not_found" },
    {
      sender: JSON_RPC,
      meaning: "the prompt does not exist, or an argument of it is missing",
      reason: "prompt/not_found",
    },
    { sender: JSON_RPC, meaning: "the cursor is not valid", reason: "pagination/invalid_cursor" },
    { sender: MCP_NEW, meaning: "the task does not exist or has expired", reason: "task/not_found" },
    {
      sender: MCP_NEW,
      status: 400,
      meaning: "a required member of _meta is missing",
      reason: "protocol/invalid_params",
    },
    { sender: V2_SERVER, meaning: "requestState was changed or has expired", reason: "protocol/request_state_invalid" },
    {
      sender: SERVERS,
      meaning: "the server's own result is malformed (Invalid tools/call result)",
      reason: "tool/output_invalid",
      effect: "possible",
    },
    {
      sender: V1,
      meaning: "the structured content does not match the output schema",
      reason: "tool/output_invalid",
      effect: "possible",
    },
    {
      sender: `${FAST_TS}, mcp-server-kubernetes`,
      meaning: "the arguments are wrong",
      reason: "tool/invalid_arguments",
    },
    {
      sender: "agentgateway",
      status: 400,
      meaning: "the tool does not exist, or you may not use it",
      reason: "tool/not_found",
    },
  ],
  "-32603": [
    { sender: JSON_RPC, meaning: "the server failed inside", reason: "core/internal" },
    { sender: SERVERS, meaning: "a resource, a prompt or a low-level handler threw", reason: "core/internal" },
    {
      sender: SERVERS,
      meaning: "a parameter has the wrong type, such as a cursor that is a number",
      reason: "protocol/invalid_params",
    },
    { sender: V2_SERVER, meaning: "too many subscriptions are open", reason: "core/overloaded" },
    {
      sender: "mcp-server-commands, server-postgres, notion-mcp-server",
      meaning: "the tool does not exist",
      reason: "tool/not_found",
    },
    { sender: "notion-mcp-server", meaning: "its upstream API failed or refused", reason: "core/upstream_failed" },
  ],
  "-32000": [
    {
      sender: V1,
      meaning: "the connection was closed before the answer",
      reason: "transport/connection_lost",
    },
    {
      sender: "MCP SDK for Python, your side",
      meaning: "the connection was closed",
      reason: "transport/connection_lost",
    },
    {
      sender: SERVERS,
      status: 400,
      meaning: "the protocol version is not supported, or not initialized",
      reason: "protocol/bad_request",
    },
    { sender: SERVERS, status: 403, meaning: "Host or Origin is not allowed", reason: "auth/access_denied" },
    { sender: SERVERS, status: 405, meaning: "this HTTP method is not served", reason: "protocol/http_method" },
    {
      sender: SERVERS,
      status: 406,
      meaning: "Accept must name JSON and event streams",
      reason: "protocol/bad_request",
    },
    { sender: SERVERS, status: 409, meaning: "a stream for this session is open already", reason: "core/conflict" },
    { sender: SERVERS, status: 413, meaning: "the body is too large", reason: "content/message_too_large" },
    { sender: SERVERS, status: 415, meaning: "Content-Type must be application/json", reason: "protocol/bad_request" },
    {
      sender: FAST_PY,
      meaning: "a rate limit, a timeout or a refusal: only the text tells which",
      reason: "core/unrecognised",
      advice: "read the text",
    },
    { sender: "mcp-proxy (TypeScript)", status: 401, meaning: "no credentials were sent", reason: "auth/unauthorized" },
    { sender: "ContextForge", meaning: "the tool failed, or the gateway did", reason: "tool/execution_failed" },
    { sender: "Tyk", meaning: "the gateway refused the call", reason: "auth/access_denied" },
  ],
  "-32001": [
    { sender: V1, meaning: "the request timed out, or you aborted it", reason: "core/timeout" },
    { sender: "MCP SDK for Python, your side", meaning: "the request timed out", reason: "core/timeout" },
    {
      sender: SERVERS,
      status: 404,
      meaning: "session not found",
      reason: "protocol/session_not_found",
      advice: NEW_SESSION,
    },
    {
      sender: FAST_TS,
      status: 404,
      meaning: "session not found",
      reason: "protocol/session_not_found",
      advice: NEW_SESSION,
    },
    {
      sender: "git-mcp-server",
      status: 404,
      meaning: "session expired",
      reason: "protocol/session_not_found",
      advice: NEW_SESSION,
    },
    {
      sender: "mcp-framework",
      meaning: "session not found",
      reason: "protocol/session_not_found",
      advice: NEW_SESSION,
    },
    {
      sender: "mongodb-mcp-server",
      status: 400,
      meaning: "session id is required",
      reason: "protocol/session_not_found",
      advice: NEW_SESSION,
    },
    { sender: "notion-mcp-server", status: 401, meaning: "missing bearer token", reason: "auth/unauthorized" },
    {
      sender: "mcp-proxy (TypeScript)",
      status: 403,
      meaning: "the token lacks a scope",
      reason: "auth/insufficient_scope",
    },
    { sender: "xmcp", meaning: "the token is not valid", reason: "auth/invalid_credentials" },
    { sender: "Tyk", meaning: "credentials are needed", reason: "auth/unauthorized" },
    { sender: FAST_PY, meaning: "something was not found", reason: "core/not_found" },
    {
      sender: "drafts of MCP 2026-07-28",
      meaning: "headers and body differ (now -32020)",
      reason: "protocol/header_mismatch",
    },
  ],
  "-32002": [
    { sender: MCP_OLD, meaning: "the resource does not exist", reason: "resource/not_found" },
    {
      sender: `${FAST_PY}, ContextForge, mcp-go`,
      meaning: "the resource does not exist",
      reason: "resource/not_found",
    },
    { sender: "xmcp", meaning: "the token lacks a scope", reason: "auth/insufficient_scope" },
    { sender: "Tyk", meaning: "access denied", reason: "auth/access_denied" },
  ],
  "-32003": [
    { sender: "ContextForge", meaning: "access denied", reason: "auth/access_denied" },
    { sender: "Tyk", meaning: "rate limit", reason: "core/rate_limited" },
    {
      sender: "drafts of MCP 2026-07-28",
      meaning: "the client lacks a capability (now -32021)",
      reason: "protocol/missing_client_capability",
    },
  ],
  "-32004": [
    {
      sender: "drafts of MCP 2026-07-28",
      meaning: "the version is not supported (now -32022)",
      reason: "protocol/version_unsupported",
    },
  ],
  "-32005": [
    { sender: "Tyk", meaning: "the quota is used up", reason: "core/quota_exhausted" },
    { sender: "MCP SDK for Go, your side", meaning: "the transport rejected the message", reason: "transport/failed" },
  ],
  "-32020": [
    {
      sender: MCP_NEW,
      status: 400,
      meaning: "a header is missing, or headers and body say different things",
      reason: "protocol/header_mismatch",
      advice: "list the tools again, then repeat; a proxy may remove Mcp-* headers",
    },
  ],
  "-32021": [
    {
      sender: MCP_NEW,
      status: 400,
      meaning: "the client lacks a capability; data.requiredCapabilities names it",
      reason: "protocol/missing_client_capability",
    },
  ],
  "-32022": [
    {
      sender: MCP_NEW,
      status: 400,
      meaning: "the protocol version is not supported; data.supported lists those that are",
      reason: "protocol/version_unsupported",
      advice: "speak one of data.supported",
    },
  ],
  "-32042": [
    {
      sender: "MCP 2025-11-25",
      meaning: "a person has to open an address first; data.elicitations lists them",
      reason: "elicitation/url_required",
    },
  ],
  "0": [
    {
      sender: "MCP SDK for Python, older versions",
      meaning: "a handler failed; only the text tells how",
      reason: "core/unrecognised",
    },
  ],
  "127": [
    {
      sender: "mcp-server-commands",
      meaning: "the exit status of a command that was not found, posing as a JSON-RPC code",
      reason: "core/internal",
    },
  ],
  "400": [{ sender: MCP_HTTP, meaning: "the server cannot read the request", reason: "protocol/bad_request" }],
  "401": [{ sender: MCP_HTTP, meaning: "credentials are missing, wrong or expired", reason: "auth/unauthorized" }],
  "403": [
    {
      sender: MCP_HTTP,
      meaning: "the credentials do not suffice, or Origin is not allowed",
      reason: "auth/not_authorized",
    },
    { sender: "ToolHive, as a JSON-RPC code", meaning: "the gateway refused the call", reason: "auth/access_denied" },
  ],
  "404": [
    {
      sender: `${MCP_OLD}, over HTTP`,
      meaning: "the session has ended, or the path is wrong",
      reason: "protocol/session_not_found",
      advice: NEW_SESSION,
    },
    { sender: `${MCP_NEW}, over HTTP`, meaning: "the method does not exist", reason: "protocol/method_not_found" },
  ],
  "405": [{ sender: MCP_HTTP, meaning: "this HTTP method is not served", reason: "protocol/http_method" }],
  "406": [{ sender: MCP_HTTP, meaning: "Accept must name JSON and event streams", reason: "protocol/bad_request" }],
  "413": [{ sender: MCP_HTTP, meaning: "the body is too large", reason: "content/message_too_large" }],
  "415": [{ sender: MCP_HTTP, meaning: "Content-Type must be application/json", reason: "protocol/bad_request" }],
  "429": [
    { sender: MCP_HTTP, meaning: "too many requests; Retry-After says how long to wait", reason: "core/rate_limited" },
    {
      sender: "ToolHive, as a JSON-RPC code",
      meaning: "rate limit; data.retryAfterSeconds says how long to wait",
      reason: "core/rate_limited",
    },
  ],
  "503": [{ sender: MCP_HTTP, meaning: "the server or its proxy is not available", reason: "core/unavailable" }],
  "504": [{ sender: MCP_HTTP, meaning: "a proxy gave up waiting for the server", reason: "core/timeout" }],
  NOT_CONNECTED: [{ sender: V2, meaning: "the client is not connected", reason: "transport/not_connected" }],
  ALREADY_CONNECTED: [
    {
      sender: V2,
      meaning: "connect was called twice",
      reason: "core/internal",
      effect: "none",
      advice: "connect once",
    },
  ],
  NOT_INITIALIZED: [{ sender: V2, meaning: "the handshake is not finished", reason: "protocol/not_initialized" }],
  CAPABILITY_NOT_SUPPORTED: [
    { sender: V2, meaning: "the other side lacks the capability", reason: "protocol/capability_not_supported" },
  ],
  REQUEST_TIMEOUT: [{ sender: V2, meaning: "the request timed out, or you aborted it", reason: "core/timeout" }],
  CONNECTION_CLOSED: [
    { sender: V2, meaning: "the connection was closed before the answer", reason: "transport/connection_lost" },
  ],
  SEND_FAILED: [{ sender: V2, meaning: "the message could not be sent whole", reason: "transport/failed" }],
  INVALID_RESULT: [
    { sender: V2, meaning: "the answer is no result of this method", reason: "protocol/invalid_result" },
  ],
  UNSUPPORTED_RESULT_TYPE: [
    {
      sender: V2,
      meaning: "the answer has a resultType that the client does not know",
      reason: "protocol/invalid_result",
    },
  ],
  LIST_PAGINATION_EXCEEDED: [
    {
      sender: V2,
      meaning: "a list has more pages than the client reads",
      reason: "protocol/invalid_result",
      effect: "none",
    },
  ],
  INPUT_REQUIRED_ROUNDS_EXCEEDED: [
    { sender: V2, meaning: "the server asked for input too many times", reason: "protocol/rounds_exceeded" },
  ],
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: [
    { sender: V2, meaning: "the negotiated version does not have this method", reason: "protocol/method_not_found" },
  ],
  ERA_NEGOTIATION_FAILED: [
    { sender: V2, meaning: "no protocol version could be agreed on", reason: "protocol/negotiation_failed" },
  ],
  CLIENT_HTTP_NOT_IMPLEMENTED: [
    {
      sender: V2,
      meaning: "the server answered with a status that is no success; read error.status",
      reason: "transport/failed",
    },
  ],
  CLIENT_HTTP_AUTHENTICATION: [{ sender: V2, meaning: "the server asks for credentials", reason: "auth/unauthorized" }],
  CLIENT_HTTP_FORBIDDEN: [{ sender: V2, meaning: "the credentials do not suffice", reason: "auth/not_authorized" }],
  CLIENT_HTTP_UNEXPECTED_CONTENT: [
    { sender: V2, meaning: "the answer is neither JSON nor an event stream", reason: "protocol/invalid_result" },
  ],
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: [
    { sender: V2, meaning: "the event stream could not be opened", reason: "transport/failed" },
  ],
  CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION: [
    { sender: V2, meaning: "the session could not be ended", reason: "transport/failed" },
  ],
} as const satisfies Readonly<Record<string, readonly [CodeRow, ...CodeRow[]]>>;

/** A range of numbers and what the protocol says about it. */
export interface CodeRange {
  /** The smallest number. */
  readonly from: number;
  /** The largest number. */
  readonly to: number;
  /** What a number of this range says by itself, in one sentence. */
  readonly rule: string;
}

/** Ranges of JSON-RPC codes in MCP 2026-07-28, the narrowest first. */
export const CODE_RANGES = [
  {
    from: -32019,
    to: -32000,
    rule: "Since MCP 2026-07-28 a number from -32000 to -32019 means nothing by itself: the sender decides.",
  },
  {
    from: -32099,
    to: -32020,
    rule: "Numbers from -32020 to -32099 are reserved for MCP: only the codes that it defines may be sent.",
  },
  { from: -32768, to: -32100, rule: "Numbers from -32100 to -32768 are reserved for JSON-RPC." },
  {
    from: Number.MIN_SAFE_INTEGER,
    to: Number.MAX_SAFE_INTEGER,
    rule: "Outside of -32000 to -32768 every program defines its own numbers.",
  },
] as const satisfies readonly CodeRange[];
