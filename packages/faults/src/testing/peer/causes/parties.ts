// What goes wrong between the parties: who they are, what they ask each other, and what takes long.
import { type Json, objectAt, stringAt } from "../../../dialects/wire.ts";
import { type Cause, callTool } from "./cause.ts";
import type { Probe } from "./probe.ts";

const as = (authorization: string) => (probe: Probe) => probe.ask("tools/list", {}, { authorization });
const REFUSAL: Json = { error: { code: -1, message: "The user said no." } };

/** Begins a task, and gives its id. */
async function begin(probe: Probe, name: string, args: Json): Promise<Json> {
  const reply = await callTool(probe, name, args, { task: {} });
  return { taskId: stringAt(objectAt(objectAt(reply, "result"), "task"), "taskId") };
}

export const PARTIES: readonly Cause[] = [
  {
    code: -32046,
    reason: "sampling/failed",
    cause: "The client refuses to ask its model.",
    hello: { sampling: {} },
    ask(probe) {
      probe.listen(() => REFUSAL);
      return callTool(probe, "summarise", { text: "A long story." });
    },
  },
  {
    code: 1090,
    reason: "elicitation/failed",
    cause: "The client fails to ask its user.",
    hello: { elicitation: {} },
    ask(probe) {
      probe.listen(() => REFUSAL);
      return callTool(probe, "confirm", { question: "Sure?" });
    },
  },
  {
    code: 1091,
    reason: "elicitation/timeout",
    cause: "The user does not answer.",
    hello: { elicitation: {} },
    limits: { questionMs: 30 },
    ask: (probe) => callTool(probe, "confirm", { question: "Sure?" }),
  },
  {
    code: -32051,
    reason: "auth/failed",
    cause: "The token is not one of the peer's.",
    ask: as("Bearer made-up"),
  },
  {
    code: -32052,
    reason: "auth/not_authorized",
    cause: "A tool for administrators is called by somebody else.",
    ask: (probe) => callTool(probe, "reset"),
  },
  {
    code: -32053,
    reason: "auth/invalid_credentials",
    cause: "The password is wrong.",
    ask: as(`Basic ${btoa("user:wrong")}`),
  },
  {
    code: -32054,
    reason: "auth/token_expired",
    cause: "The token was good an hour ago.",
    limits: { tokenMs: 3_600_000 },
    ask(probe) {
      probe.pass(3_600_000);
      return as("Bearer expiring")(probe);
    },
  },
  { code: -32056, reason: "auth/access_denied", cause: "The account is suspended.", ask: as("Bearer suspended") },
  {
    code: -32081,
    reason: "task/not_found",
    cause: "A task is asked for that does not exist.",
    ask: (probe) => probe.ask("tasks/get", { taskId: "task-123" }),
  },
  {
    code: -32083,
    reason: "task/failed",
    cause: "The tool of a task throws.",
    ask: async (probe) => probe.ask("tasks/result", await begin(probe, "divide", { a: 1, b: 0 })),
  },
  {
    code: -32084,
    reason: "task/cancelled",
    cause: "A task is cancelled, and then asked for its result.",
    async ask(probe) {
      const task = await begin(probe, "sleep", { ms: 3_600_000 });
      await probe.ask("tasks/cancel", task);
      return probe.ask("tasks/result", task);
    },
  },
  {
    code: -32085,
    reason: "task/timeout",
    cause: "A task runs for longer than it may.",
    limits: { taskMs: 30 },
    ask: async (probe) => probe.ask("tasks/result", await begin(probe, "sleep", { ms: 3_600_000 })),
  },
  {
    code: 1095,
    reason: "task/not_found",
    cause: "The older experiment is asked for a task that does not exist.",
    ask: (probe) => probe.ask("experimental/tasks/get", { taskId: "task-123" }),
  },
  {
    code: -32091,
    reason: "progress/invalid_token",
    cause: "The client tells of progress with something that nobody asked for.",
    ask: (probe) => probe.tell("notifications/progress", { progressToken: "invalid_token", progress: 1 }),
  },
  {
    code: -32092,
    reason: "progress/token_expired",
    cause: "The client tells of progress with a question that is over.",
    hello: { sampling: {} },
    async ask(probe) {
      let token: string | undefined;
      probe.listen((question) => {
        token = stringAt(objectAt(objectAt(question, "params"), "_meta"), "progressToken");
        return REFUSAL;
      });
      await callTool(probe, "summarise", { text: "A long story." });
      return probe.tell("notifications/progress", { progressToken: token, progress: 1 });
    },
  },
];
