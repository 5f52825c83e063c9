// Errors of tools, prompts and completions.
import { type JsonObject, memberAt, objectAt } from "../../../json/read.ts";
import type { Cause } from "../provoke.ts";
import type { RawClient } from "../raw-client.ts";

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
