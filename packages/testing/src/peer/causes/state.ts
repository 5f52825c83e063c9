// Errors of resources, their templates, lists and subscriptions.

import { type JsonObject, objectAt, stringAt } from "@recourse/wire";
import type { RawClient } from "../raw-client.ts";
import type { Cause } from "./requests.ts";

const readUri = (uri: string) => (client: RawClient) => client.request("resources/read", { uri });
const renderUri = (uriTemplate: string) => (client: RawClient) =>
  client.request("resources/templates/render", { uriTemplate });

export const RESOURCE_CAUSES: readonly Cause[] = [
  {
    code: -32001,
    reason: "resource/not_found",
    description: "A client reads a resource that does not exist.",
    run: readUri("mcp://nonexistent"),
  },
  {
    code: -32006,
    reason: "resource/subscription_failed",
    description: "A client subscribes to the same resource twice.",
    async run(client) {
      await client.request("resources/subscribe", { uri: "mcp://config" });
      return client.request("resources/subscribe", { uri: "mcp://config" });
    },
  },
  {
    code: -32008,
    reason: "transport/failed",
    description: "Reading a resource fails because its host resets the connection.",
    run: readUri("mcp://remote"),
  },
  {
    code: -32009,
    reason: "core/timeout",
    description: "Reading a resource exceeds the time limit of a request.",
    limits: { requestMs: 30 },
    run: readUri("mcp://slow"),
  },
  {
    code: -32021,
    reason: "resource/template_not_found",
    description: "A client renders a template that does not exist.",
    run: renderUri("pages://{number}"),
  },
  {
    code: -32022,
    reason: "resource/invalid_uri",
    description: "A URI has no scheme.",
    run: readUri("not-a-valid-uri"),
  },
  {
    code: -32023,
    reason: "resource/uri_syntax",
    description: "A URI has an invalid escape sequence.",
    run: readUri("mcp://a%zz"),
  },
  {
    code: -32025,
    reason: "resource/access_denied",
    description: "A client reads a protected resource without the permission.",
    run: readUri("mcp://vault"),
  },
  {
    code: -32029,
    reason: "resource/template_render_failed",
    description: "A client renders a template without one of its values.",
    run: renderUri("logs://{date}"),
  },
  {
    code: -32071,
    reason: "pagination/invalid_cursor",
    description: "A client asks for a page with an unknown cursor.",
    run: (client) => client.request("resources/list", { cursor: "invalid_cursor_string" }),
  },
  {
    code: -32072,
    reason: "pagination/cursor_expired",
    description: "A client asks for a page with an expired cursor.",
    limits: { pageSize: 2, cursorMs: 300_000 },
    async run(client) {
      const first = await client.request("resources/list");
      client.advanceClock(300_000);
      return client.request("resources/list", { cursor: stringAt(objectAt(first, "result"), "nextCursor") });
    },
  },
  {
    code: -32094,
    reason: "notification/failed",
    description: "A resource changes while its subscriber has no open stream.",
    async run(client) {
      await client.request("resources/subscribe", { uri: "mcp://config" });
      return client.request("resources/touch", { uri: "mcp://config" });
    },
  },
];

// Errors of credentials, requests to the client, tasks and progress.
const listToolsAs = (authorization: string) => (client: RawClient) =>
  client.request("tools/list", {}, { authorization });
const REFUSAL: JsonObject = { error: { code: -1, message: "The user said no." } };

/** Starts a task; returns its id as parameters. */
async function requestTask(client: RawClient, name: string, args: JsonObject): Promise<JsonObject> {
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
    run: async (client) => client.request("tasks/result", await requestTask(client, "divide", { a: 1, b: 0 })),
  },
  {
    code: -32084,
    reason: "task/cancelled",
    description: "A client asks for the result of a cancelled task.",
    async run(client) {
      const task = await requestTask(client, "sleep", { ms: 3_600_000 });
      await client.request("tasks/cancel", task);
      return client.request("tasks/result", task);
    },
  },
  {
    code: -32085,
    reason: "task/timeout",
    description: "A task exceeds its time limit.",
    limits: { taskMs: 30 },
    run: async (client) => client.request("tasks/result", await requestTask(client, "sleep", { ms: 3_600_000 })),
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
