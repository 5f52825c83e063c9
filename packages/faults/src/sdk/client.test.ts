import { expect, it } from "vitest";
import { asSdkClient, type SendOptions } from "./client.ts";

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
  ["says that it does", { extensions: { "recourse/faults": { v: 1, keys: true } } }, true],
  ["says that it does not", { extensions: { "recourse/faults": { v: 1, keys: false } } }, false],
  ["speaks a later version", { extensions: { "recourse/faults": { v: 2, keys: true } } }, false],
  ["speaks of other things", { extensions: { "recourse/faults": null, "x/y": { v: 1, keys: true } } }, false],
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
  // A client that does not show its transport cannot be told.
  expect(fake().peer.isClosed()).toBe(false);
});

it.each([[undefined], [null], [{}]])("refuses %j by name", (value) => {
  expect(() => asSdkClient(value as never)).toThrow(/needs a Client .* missing here: callTool, /);
});
