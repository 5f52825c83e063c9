import { afterEach, beforeEach, expect, test } from "vitest";
import { misbehave, type Peer } from "../misbehave.ts";
import { createRawClient, type RawClient } from "../raw-client.ts";

let peer: Peer;
let client: RawClient;
beforeEach(async () => {
  peer = await misbehave({ dialect: "erlmcp", limits: { questionMs: 20 } });
  client = createRawClient(peer);
  await client.initialize({ capabilities: { sampling: {} } });
});
afterEach(() => peer.close());

const call = (name: string, args: object) => ["tools/call", { name, arguments: args }] as const;

test.each([
  [
    "a cursor that is not a string",
    ["tools/list", { cursor: 12 }],
    -32602,
    { details: "Wrong type of parameter: cursor" },
  ],
  [
    "an argument of the wrong type",
    call("echo", { text: 1 }),
    -32034,
    { tool: "echo", details: "Wrong type of parameter: text" },
  ],
  ["a tool call without a name", ["tools/call", {}], -32602, { details: "Missing required parameter: name" }],
  ["a cursor of another list", ["prompts/list", { cursor: "page-1" }], -32071, { cursor: "page-1" }],
  [
    "a subscription to a resource that cannot change",
    ["resources/subscribe", { uri: "mcp://manual" }],
    -32006,
    { uri: "mcp://manual", reason: "not_subscribable" },
  ],
  ["a resource with the name of an inherited member", ["resources/read", { uri: "constructor:" }], -32001, undefined],
  ["a model that does not answer", call("summarise", { text: "Long." }), -32046, { reason: "no_answer" }],
] as const)("%s", async (_, [method, params], code, data) => {
  expect((await client.request(method, params))["error"]).toMatchObject({ code, ...(data !== undefined && { data }) });
});

test("a client can subscribe again after it unsubscribed", async () => {
  const config = { uri: "mcp://config" };
  await client.request("resources/subscribe", config);
  await client.request("resources/unsubscribe", config);
  expect((await client.request("resources/subscribe", config))["result"]).toEqual({});
});

test("the lists of prompts and templates show which arguments they take", async () => {
  expect((await client.request("prompts/list"))["result"]).toMatchObject({
    prompts: [{ name: "write_essay", arguments: [{ name: "topic", required: true }] }, {}, {}],
  });
  expect((await client.request("resources/templates/list"))["result"]).toEqual({
    resourceTemplates: [{ uriTemplate: "logs://{date}", name: "logs://{date}" }],
  });
});

test("an administrator ends all sessions", async () => {
  const [method, params] = call("reset", {});
  expect(await client.request(method, params, { authorization: "Bearer admin" })).toHaveProperty("result");
  expect((await client.request("ping"))["error"]).toMatchObject({ code: -32008 });
});
