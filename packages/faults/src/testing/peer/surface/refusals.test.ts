import { afterEach, beforeEach, expect, test } from "vitest";
import { createProbe, type Probe } from "../causes/probe.ts";
import { misbehave, type Peer } from "../misbehave.ts";

let peer: Peer;
let probe: Probe;
beforeEach(async () => {
  peer = await misbehave({ dialect: "erlmcp", limits: { questionMs: 20 } });
  probe = createProbe(peer);
  await probe.hello({ capabilities: { sampling: {} } });
});
afterEach(() => peer.close());

const call = (name: string, args: object) => ["tools/call", { name, arguments: args }] as const;

test.each([
  ["a cursor that is no text", ["tools/list", { cursor: 12 }], -32602, { details: "Wrong type of parameter: cursor" }],
  [
    "an argument of the wrong type",
    call("echo", { text: 1 }),
    -32034,
    { tool: "echo", details: "Wrong type of parameter: text" },
  ],
  ["a tool call without a name", ["tools/call", {}], -32602, { details: "Missing required parameter: name" }],
  ["a cursor of another list", ["prompts/list", { cursor: "page-1" }], -32071, { cursor: "page-1" }],
  [
    "a subscription to what cannot change",
    ["resources/subscribe", { uri: "mcp://manual" }],
    -32006,
    { uri: "mcp://manual", reason: "not_subscribable" },
  ],
  ["a resource named like a member of every object", ["resources/read", { uri: "constructor:" }], -32001, undefined],
  ["a model that does not answer", call("summarise", { text: "Long." }), -32046, { reason: "no_answer" }],
] as const)("%s", async (_, [method, params], code, data) => {
  expect((await probe.ask(method, params))["error"]).toMatchObject({ code, ...(data !== undefined && { data }) });
});

test("what was given up can be had again", async () => {
  const config = { uri: "mcp://config" };
  await probe.ask("resources/subscribe", config);
  await probe.ask("resources/unsubscribe", config);
  expect((await probe.ask("resources/subscribe", config))["result"]).toEqual({});
});

test("the lists of prompts and templates tell what to send", async () => {
  expect((await probe.ask("prompts/list"))["result"]).toMatchObject({
    prompts: [{ name: "write_essay", arguments: [{ name: "topic", required: true }] }, {}, {}],
  });
  expect((await probe.ask("resources/templates/list"))["result"]).toEqual({
    resourceTemplates: [{ uriTemplate: "logs://{date}", name: "logs://{date}" }],
  });
});

test("an administrator ends all sessions", async () => {
  const [method, params] = call("reset", {});
  expect(await probe.ask(method, params, { authorization: "Bearer admin" })).toHaveProperty("result");
  expect((await probe.ask("ping"))["error"]).toMatchObject({ code: -32008 });
});
