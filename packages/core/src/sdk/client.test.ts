import type {
  CallToolResult as CallToolResultV2,
  Client as ClientV2,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, expectTypeOf, it, test } from "vitest";
import type { InputRequired, Outcome } from "../client/options.ts";
import { type RecourseClient, recourse } from "../client/recourse.ts";
import { asSdkClient, type ClientLike, type ResultOf, type SendOptions } from "./client.ts";

const OPTIONS: SendOptions = { timeout: 5, maxTotalTimeout: 5, signal: new AbortController().signal };

function fake(more: object = {}) {
  const calls: unknown[][] = [];
  const keep =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return Promise.resolve({});
    };
  const client = {
    callTool: keep("callTool"),
    readResource: keep("readResource"),
    getPrompt: keep("getPrompt"),
    listTools: keep("listTools"),
    getServerCapabilities: () => ({}),
    ...more,
  };
  return { calls, peer: asSdkClient(client as never) };
}

it("puts the options where each version of the SDK expects them", async () => {
  const old = fake();
  await old.peer.send("tools/call", { name: "x" }, OPTIONS);
  expect(old.calls).toEqual([["callTool", { name: "x" }, undefined, OPTIONS]]);
  const current = fake({ getProtocolEra: () => "modern" });
  await current.peer.send("tools/call", { name: "x" }, OPTIONS);
  await current.peer.send("resources/read", { uri: "r:1" }, OPTIONS);
  await current.peer.send("prompts/get", { name: "p" }, OPTIONS);
  await current.peer.send("tools/list", {}, OPTIONS);
  expect(current.calls).toEqual([
    ["callTool", { name: "x" }, OPTIONS],
    ["readResource", { uri: "r:1" }, OPTIONS],
    ["getPrompt", { name: "p" }, OPTIONS],
    ["listTools", {}, OPTIONS],
  ]);
});

it.each<[string, unknown, boolean]>([
  ["says that it does", { extensions: { "io.github.recourse-mcp/faults": { v: 1, keys: true } } }, true],
  ["says that it does not", { extensions: { "io.github.recourse-mcp/faults": { v: 1, keys: false } } }, false],
  ["speaks a later version", { extensions: { "io.github.recourse-mcp/faults": { v: 2, keys: true } } }, false],
  [
    "speaks of other things",
    { extensions: { "io.github.recourse-mcp/faults": null, "x/y": { v: 1, keys: true } } },
    false,
  ],
  ["says nothing", {}, false],
  ["is not connected", undefined, false],
])("honours keys where the server %s", (_, capabilities, honours) => {
  expect(fake({ getServerCapabilities: () => capabilities }).peer.honoursKeys()).toBe(honours);
});

it("tells a session and a connection that is gone", () => {
  expect(fake({ transport: { sessionId: "s1" } }).peer.hasSession()).toBe(true);
  expect(fake({ transport: {} }).peer.hasSession()).toBe(false);
  expect(fake({ transport: {} }).peer.isClosed()).toBe(false);
  expect(fake({ transport: undefined }).peer.isClosed()).toBe(true);
  // For a client that does not show its transport, this is unknown.
  expect(fake().peer.isClosed()).toBe(false);
});

it.each([[undefined], [null], [{}]])("refuses %j by name", (value) => {
  expect(() => asSdkClient(value as never)).toThrow(/needs a Client .* missing here: callTool, /);
});

test("the clients of both versions fit, and their results keep their types", () => {
  expectTypeOf<ClientV1>().toExtend<ClientLike>();
  expectTypeOf<ClientV2>().toExtend<ClientLike>();
  expectTypeOf<ResultOf<ClientV2, "callTool">>().toEqualTypeOf<CallToolResultV2>();
  expectTypeOf<ResultOf<ClientV2, "readResource">>().toEqualTypeOf<ReadResourceResult>();
  expectTypeOf<ResultOf<ClientV2, "getPrompt">>().toEqualTypeOf<GetPromptResult>();
  expectTypeOf<ResultOf<ClientV1, "callTool">>().toEqualTypeOf<Awaited<ReturnType<ClientV1["callTool"]>>>();
  expectTypeOf<RecourseClient<ClientV2>["call"]>().returns.toEqualTypeOf<Promise<Outcome<CallToolResultV2>>>();
});

test("an outcome is told apart by one member", () => {
  const seen = (outcome: Outcome<{ readonly n: number }>) => {
    if (!outcome.ok) return expectTypeOf(outcome.fault.reason).toBeString();
    return expectTypeOf(outcome.result.n).toBeNumber();
  };
  expectTypeOf(seen).toBeFunction();
});

test("the third form exists only on a client that returns requests for input", () => {
  const plain = () => recourse({} as ClientV2).call("x");
  const returning = () => recourse({} as ClientV2, { inputRequired: "return" }).call("x");
  expectTypeOf(plain).returns.resolves.toEqualTypeOf<Outcome<CallToolResultV2>>();
  expectTypeOf(returning).returns.resolves.toEqualTypeOf<Outcome<CallToolResultV2> | InputRequired>();
  const read = (outcome: Outcome<{ readonly n: number }> | InputRequired) => {
    if (outcome.ok) return expectTypeOf(outcome.result.n).toBeNumber();
    if (outcome.inputRequired !== undefined) return expectTypeOf(outcome.inputRequired["requestState"]).toBeUnknown();
    return expectTypeOf(outcome.fault.reason).toBeString();
  };
  expectTypeOf(read).toBeFunction();
});
