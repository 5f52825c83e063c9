// Errors of the message itself, of the start of a session, and of the content.

import { type JsonObject, memberAt, objectAt } from "@recourse/wire";
import type { RawClient } from "../raw-client.ts";
import type { PeerLimits } from "../server/state.ts";

/** A real cause of an erlmcp error code: what a client does so that the peer answers with the code. */
export interface Cause {
  /** The error code. */
  readonly code: number;
  /** The reason of the fault that the error is decoded to. */
  readonly reason: string;
  /** What the client does, or what has happened. */
  readonly description: string;
  /** Limits that the peer must be started with. */
  readonly limits?: Partial<PeerLimits>;
  /** The capabilities with which the client initializes; false means that it does not initialize. */
  readonly initialize?: JsonObject | false;
  /** Provokes the error and returns the reply with it. */
  readonly run: (client: RawClient) => Promise<JsonObject>;
}

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

// Errors of tools, prompts and completions.
const completeReference = (ref: JsonObject, name: string) => (client: RawClient) =>
  client.request("completion/complete", { ref, argument: { name, value: "r" } });
const promptRef = (name: string): JsonObject => ({ type: "ref/prompt", name });

export const TOOL_CAUSES: readonly Cause[] = [
  {
    code: -32002,
    reason: "tool/not_found",
    description: "A client calls a tool that does not exist.",
    run: (client) => client.callTool("nonexistent_tool"),
  },
  {
    code: -32007,
    reason: "core/validation_failed",
    description: "A client registers a tool with an invalid name.",
    run: (client) => client.request("tools/register", { name: "two words", description: "" }),
  },
  {
    code: -32011,
    reason: "tool/description_too_long",
    description: "A client registers a tool with a description of 15,000 characters.",
    run: (client) => client.request("tools/register", { name: "wordy", description: "x".repeat(15_000) }),
  },
  {
    code: -32031,
    reason: "tool/execution_failed",
    description: "A tool throws.",
    run: (client) => client.callTool("divide", { a: 1, b: 0 }),
  },
  {
    code: -32032,
    reason: "tool/timeout",
    description: "A tool exceeds its time limit.",
    limits: { toolMs: 30 },
    run: (client) => client.callTool("sleep", { ms: 3_600_000 }),
  },
  {
    code: -32033,
    reason: "tool/cancelled",
    description: "The client cancels a call while the tool runs.",
    run(client) {
      // The first progress notification means that the tool is running.
      client.onMessage((message) => {
        if (message["method"] === "notifications/progress")
          void client.notify("notifications/cancelled", {
            requestId: memberAt(objectAt(message, "params"), "progressToken"),
            reason: "user_requested",
          });
        return undefined;
      });
      const params = { name: "sleep", arguments: { ms: 3_600_000 }, _meta: { progressToken: "slow-1" } };
      return client.post({ jsonrpc: "2.0", id: "slow-1", method: "tools/call", params });
    },
  },
  {
    code: -32034,
    reason: "tool/invalid_arguments",
    description: "A client calls a tool without one of its arguments.",
    run: (client) => client.callTool("divide", { a: 1 }),
  },
  {
    code: -32003,
    reason: "prompt/not_found",
    description: "A client asks for a prompt that does not exist.",
    run: (client) => client.request("prompts/get", { name: "nonexistent_prompt" }),
  },
  {
    code: -32043,
    reason: "prompt/argument_missing",
    description: "A client asks for a prompt without its argument.",
    run: (client) => client.request("prompts/get", { name: "write_essay" }),
  },
  {
    code: -32044,
    reason: "prompt/render_failed",
    description: "The template of a prompt uses a value that is not an argument.",
    run: (client) => client.request("prompts/get", { name: "broken" }),
  },
  {
    code: -32110,
    reason: "completion/not_found",
    description: "A client asks for completions of a prompt that does not exist.",
    run: completeReference(promptRef("nonexistent_prompt"), "topic"),
  },
  {
    code: -32111,
    reason: "completion/invalid_reference",
    description: "A client asks for completions with an invalid reference.",
    run: completeReference({ type: "ref/nothing" }, "topic"),
  },
  {
    code: -32112,
    reason: "completion/invalid_argument",
    description: "A client asks for completions of an argument that the prompt does not have.",
    run: completeReference(promptRef("write_essay"), "colour"),
  },
  {
    code: -32113,
    reason: "completion/failed",
    description: "Computing completions runs into a bug.",
    run: completeReference(promptRef("guess"), "number"),
  },
];
