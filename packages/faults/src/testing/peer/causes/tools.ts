// What is wrong with tools, prompts and completions.
import { type Json, memberAt, objectAt } from "../../../dialects/wire.ts";
import { type Cause, callTool } from "./cause.ts";
import type { Probe } from "./probe.ts";

const complete = (ref: Json, name: string) => (probe: Probe) =>
  probe.ask("completion/complete", { ref, argument: { name, value: "r" } });
const promptRef = (name: string): Json => ({ type: "ref/prompt", name });

export const TOOLS: readonly Cause[] = [
  {
    code: -32002,
    reason: "tool/not_found",
    cause: "A tool is called that does not exist.",
    ask: (probe) => callTool(probe, "nonexistent_tool"),
  },
  {
    code: -32007,
    reason: "core/validation_failed",
    cause: "A tool is registered under a name that no tool may have.",
    ask: (probe) => probe.ask("tools/register", { name: "two words", description: "" }),
  },
  {
    code: -32011,
    reason: "tool/description_too_long",
    cause: "A tool is registered with a description of 15,000 characters.",
    ask: (probe) => probe.ask("tools/register", { name: "wordy", description: "x".repeat(15_000) }),
  },
  {
    code: -32031,
    reason: "tool/execution_failed",
    cause: "A tool throws.",
    ask: (probe) => callTool(probe, "divide", { a: 1, b: 0 }),
  },
  {
    code: -32032,
    reason: "tool/timeout",
    cause: "A tool runs for longer than it may.",
    limits: { toolMs: 30 },
    ask: (probe) => callTool(probe, "sleep", { ms: 3_600_000 }),
  },
  {
    code: -32033,
    reason: "tool/cancelled",
    cause: "The client cancels a call while the tool runs.",
    ask(probe) {
      // The first word of progress tells that the tool is running.
      probe.listen((message) => {
        if (message["method"] === "notifications/progress")
          void probe.tell("notifications/cancelled", {
            requestId: memberAt(objectAt(message, "params"), "progressToken"),
            reason: "user_requested",
          });
        return undefined;
      });
      const params = { name: "sleep", arguments: { ms: 3_600_000 }, _meta: { progressToken: "slow-1" } };
      return probe.post({ jsonrpc: "2.0", id: "slow-1", method: "tools/call", params });
    },
  },
  {
    code: -32034,
    reason: "tool/invalid_arguments",
    cause: "A tool is called without one of its arguments.",
    ask: (probe) => callTool(probe, "divide", { a: 1 }),
  },
  {
    code: -32003,
    reason: "prompt/not_found",
    cause: "A prompt is asked for that does not exist.",
    ask: (probe) => probe.ask("prompts/get", { name: "nonexistent_prompt" }),
  },
  {
    code: -32043,
    reason: "prompt/argument_missing",
    cause: "A prompt is asked for without its argument.",
    ask: (probe) => probe.ask("prompts/get", { name: "write_essay" }),
  },
  {
    code: -32044,
    reason: "prompt/render_failed",
    cause: "The sentence of a prompt names a value that nobody gives.",
    ask: (probe) => probe.ask("prompts/get", { name: "broken" }),
  },
  {
    code: -32110,
    reason: "completion/not_found",
    cause: "A completion is asked for a prompt that does not exist.",
    ask: complete(promptRef("nonexistent_prompt"), "topic"),
  },
  {
    code: -32111,
    reason: "completion/invalid_reference",
    cause: "A completion is asked for something that is no reference.",
    ask: complete({ type: "ref/nothing" }, "topic"),
  },
  {
    code: -32112,
    reason: "completion/invalid_argument",
    cause: "A completion is asked for an argument that the prompt does not have.",
    ask: complete(promptRef("write_essay"), "colour"),
  },
  {
    code: -32113,
    reason: "completion/failed",
    cause: "The source of the values to choose from has a bug.",
    ask: complete(promptRef("guess"), "number"),
  },
];
