// Errors of credentials, requests to the client, tasks and progress.
import { type JsonObject, objectAt, stringAt } from "../../../json/read.ts";
import type { Cause } from "../provoke.ts";
import type { RawClient } from "../raw-client.ts";

const listToolsAs = (authorization: string) => (client: RawClient) =>
  client.request("tools/list", {}, { authorization });
const REFUSAL: JsonObject = { error: { code: -1, message: "The user said no." } };

/** Starts a task; returns its id as parameters. */
async function startTask(client: RawClient, name: string, args: JsonObject): Promise<JsonObject> {
  const reply = await client.callTool(name, args, { task: {} });
  return { taskId: stringAt(objectAt(objectAt(reply, "result"), "task"), "taskId") };
}

export const AUTH_AND_TASK_CAUSES: readonly Cause[] = [
  {
    code: -32046,
    reason: "sampling/failed",
    description: "The client refuses to ask its model.",
    initialize: { sampling: {} },
    run(client) {
      client.onMessage(() => REFUSAL);
      return client.callTool("summarise", { text: "A long story." });
    },
  },
  {
    code: 1090,
    reason: "elicitation/failed",
    description: "The client fails to ask its user.",
    initialize: { elicitation: {} },
    run(client) {
      client.onMessage(() => REFUSAL);
      return client.callTool("confirm", { question: "Sure?" });
    },
  },
  {
    code: 1091,
    reason: "elicitation/timeout",
    description: "The user does not answer.",
    initialize: { elicitation: {} },
    limits: { questionMs: 30 },
    run: (client) => client.callTool("confirm", { question: "Sure?" }),
  },
  {
    code: -32051,
    reason: "auth/failed",
    description: "The token is unknown.",
    run: listToolsAs("Bearer made-up"),
  },
  {
    code: -32052,
    reason: "auth/not_authorized",
    description: "A tool for administrators is called without that role.",
    run: (client) => client.callTool("reset"),
  },
  {
    code: -32053,
    reason: "auth/invalid_credentials",
    description: "The password is wrong.",
    run: listToolsAs(`Basic ${btoa("user:wrong")}`),
  },
  {
    code: -32054,
    reason: "auth/token_expired",
    description: "The token has expired.",
    limits: { tokenMs: 3_600_000 },
    run(client) {
      client.advanceClock(3_600_000);
      return listToolsAs("Bearer expiring")(client);
    },
  },
  {
    code: -32056,
    reason: "auth/access_denied",
    description: "The account is suspended.",
    run: listToolsAs("Bearer suspended"),
  },
  {
    code: -32081,
    reason: "task/not_found",
    description: "A client asks for a task that does not exist.",
    run: (client) => client.request("tasks/get", { taskId: "task-123" }),
  },
  {
    code: -32083,
    reason: "task/failed",
    description: "The tool of a task throws.",
    run: async (client) => client.request("tasks/result", await startTask(client, "divide", { a: 1, b: 0 })),
  },
  {
    code: -32084,
    reason: "task/cancelled",
    description: "A client asks for the result of a cancelled task.",
    async run(client) {
      const task = await startTask(client, "sleep", { ms: 3_600_000 });
      await client.request("tasks/cancel", task);
      return client.request("tasks/result", task);
    },
  },
  {
    code: -32085,
    reason: "task/timeout",
    description: "A task exceeds its time limit.",
    limits: { taskMs: 30 },
    run: async (client) => client.request("tasks/result", await startTask(client, "sleep", { ms: 3_600_000 })),
  },
  {
    code: 1095,
    reason: "task/not_found",
    description: "A client uses the experimental method to ask for a task that does not exist.",
    run: (client) => client.request("experimental/tasks/get", { taskId: "task-123" }),
  },
  {
    code: -32091,
    reason: "progress/invalid_token",
    description: "The client reports progress with an unknown token.",
    run: (client) => client.notify("notifications/progress", { progressToken: "invalid_token", progress: 1 }),
  },
  {
    code: -32092,
    reason: "progress/token_expired",
    description: "The client reports progress for a request that has ended.",
    initialize: { sampling: {} },
    async run(client) {
      let token: string | undefined;
      client.onMessage((question) => {
        token = stringAt(objectAt(objectAt(question, "params"), "_meta"), "progressToken");
        return REFUSAL;
      });
      await client.callTool("summarise", { text: "A long story." });
      return client.notify("notifications/progress", { progressToken: token, progress: 1 });
    },
  },
];
