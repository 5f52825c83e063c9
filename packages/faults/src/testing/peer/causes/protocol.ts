// Errors of the message itself, of the start of a session, and of the content.
import type { Cause } from "../provoke.ts";

export const PROTOCOL_CAUSES: readonly Cause[] = [
  {
    code: -32700,
    reason: "protocol/parse_error",
    description: "The body is not JSON.",
    run: (client) => client.post('{"jsonrpc": "2.0", '),
  },
  {
    code: -32600,
    reason: "protocol/invalid_request",
    description: "The JSON has no method.",
    run: (client) => client.post({ jsonrpc: "2.0", id: 9 }),
  },
  {
    code: -32601,
    reason: "protocol/method_not_found",
    description: "The method does not exist.",
    run: (client) => client.request("nonexistent/method"),
  },
  {
    code: -32602,
    reason: "protocol/invalid_params",
    description: "A client reads a resource without a URI.",
    run: (client) => client.request("resources/read"),
  },
  {
    code: -32603,
    reason: "core/internal",
    description: "Reading a resource runs into a bug.",
    run: (client) => client.request("resources/read", { uri: "mcp://broken" }),
  },
  {
    code: -32004,
    reason: "protocol/capability_not_supported",
    description: "A client calls a method whose capability the peer has not declared.",
    run: (client) => client.request("logging/setLevel", { level: "debug" }),
  },
  {
    code: -32005,
    reason: "protocol/not_initialized",
    description: "A request comes before initialize.",
    initialize: false,
    run: (client) => client.request("tools/list"),
  },
  {
    code: -32061,
    reason: "protocol/version_unsupported",
    description: "The client requests a version that the peer does not support.",
    initialize: false,
    run: (client) => client.initialize({ version: "2020-01-01" }),
  },
  {
    code: -32062,
    reason: "protocol/version_mismatch",
    description: "A request names another version than the negotiated one.",
    run: (client) => client.request("tools/list", {}, { "mcp-protocol-version": "2025-06-18" }),
  },
  {
    code: -32063,
    reason: "protocol/negotiation_failed",
    description: "The client requires an extension that the peer does not have.",
    initialize: false,
    run: (client) => client.initialize({ capabilities: { extensions: { "example/teleport": { required: true } } } }),
  },
  {
    code: -32012,
    reason: "content/message_too_large",
    description: "The message exceeds the size limit.",
    limits: { messageBytes: 2_000 },
    run: (client) => client.callTool("echo", { text: "x".repeat(3_000) }),
  },
  {
    code: -32013,
    reason: "content/invalid_type",
    description: "The body is declared as XML.",
    run: (client) => client.post("<message/>", { "content-type": "application/xml" }),
  },
  {
    code: -32014,
    reason: "content/too_large",
    description: "One text in the message exceeds the size limit.",
    limits: { contentBytes: 1_000 },
    run: (client) => client.callTool("echo", { text: "x".repeat(1_500) }),
  },
  {
    code: -32015,
    reason: "content/invalid_encoding",
    description: "The body contains a byte that is not UTF-8.",
    run: (client) => client.post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])),
  },
  {
    code: -32010,
    reason: "core/rate_limited",
    description: "A second request exceeds the rate limit of one per window.",
    limits: { rate: { limit: 1, windowMs: 60_000 } },
    run: (client) => client.request("ping"),
  },
];
