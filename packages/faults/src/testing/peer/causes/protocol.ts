// What is wrong with the message itself, with the start of a session, or with the content.
import { type Cause, callTool } from "./cause.ts";

export const PROTOCOL: readonly Cause[] = [
  {
    code: -32700,
    reason: "protocol/parse_error",
    cause: "The body is not JSON.",
    ask: (probe) => probe.post('{"jsonrpc": "2.0", '),
  },
  {
    code: -32600,
    reason: "protocol/invalid_request",
    cause: "The JSON has no method.",
    ask: (probe) => probe.post({ jsonrpc: "2.0", id: 9 }),
  },
  {
    code: -32601,
    reason: "protocol/method_not_found",
    cause: "The method does not exist.",
    ask: (probe) => probe.ask("nonexistent/method"),
  },
  {
    code: -32602,
    reason: "protocol/invalid_params",
    cause: "A resource is read without saying which.",
    ask: (probe) => probe.ask("resources/read"),
  },
  {
    code: -32603,
    reason: "core/internal",
    cause: "The reader of a resource has a bug.",
    ask: (probe) => probe.ask("resources/read", { uri: "mcp://broken" }),
  },
  {
    code: -32004,
    reason: "protocol/capability_not_supported",
    cause: "A method is asked whose capability the peer never declared.",
    ask: (probe) => probe.ask("logging/setLevel", { level: "debug" }),
  },
  {
    code: -32005,
    reason: "protocol/not_initialized",
    cause: "A request comes before initialize.",
    hello: false,
    ask: (probe) => probe.ask("tools/list"),
  },
  {
    code: -32061,
    reason: "protocol/version_unsupported",
    cause: "The client wants a version that the peer does not speak.",
    hello: false,
    ask: (probe) => probe.hello({ version: "2020-01-01" }),
  },
  {
    code: -32062,
    reason: "protocol/version_mismatch",
    cause: "A request names another version than was agreed on.",
    ask: (probe) => probe.ask("tools/list", {}, { "mcp-protocol-version": "2025-06-18" }),
  },
  {
    code: -32063,
    reason: "protocol/negotiation_failed",
    cause: "The client cannot do without an extension that the peer does not have.",
    hello: false,
    ask: (probe) => probe.hello({ capabilities: { extensions: { "example/teleport": { required: true } } } }),
  },
  {
    code: -32012,
    reason: "content/message_too_large",
    cause: "The message is larger than the peer takes.",
    limits: { messageBytes: 2_000 },
    ask: (probe) => callTool(probe, "echo", { text: "x".repeat(3_000) }),
  },
  {
    code: -32013,
    reason: "content/invalid_type",
    cause: "The body is declared as XML.",
    ask: (probe) => probe.post("<message/>", { "content-type": "application/xml" }),
  },
  {
    code: -32014,
    reason: "content/too_large",
    cause: "One text in the message is larger than the peer takes.",
    limits: { contentBytes: 1_000 },
    ask: (probe) => callTool(probe, "echo", { text: "x".repeat(1_500) }),
  },
  {
    code: -32015,
    reason: "content/invalid_encoding",
    cause: "The body has a byte that UTF-8 does not have.",
    ask: (probe) => probe.post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])),
  },
  {
    code: -32010,
    reason: "core/rate_limited",
    cause: "Two requests come in a window for one.",
    limits: { rate: { limit: 1, windowMs: 60_000 } },
    ask: (probe) => probe.ask("ping"),
  },
];
