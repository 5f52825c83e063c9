// The guard on the SDK's low-level `Server`: what a registered tool of an `McpServer` gets, its handlers get too.
import { InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { closeAfterTest, openHttpPair } from "@recourse/test-kit/fixtures";
import {
  type AnyClient,
  connectStdioPair,
  createSdkClient,
  ERAS,
  type Era,
  sdkVersion,
} from "@recourse/test-kit/sdk-pairs";
import { findLeaks } from "@recourse/testing";
import { describe, expect, test } from "vitest";
import { erlmcp } from "../../../src/dialects/index.ts";
import type { Incident } from "../../../src/incidents/incident.ts";
import { type Fault, readFault } from "../../../src/index.ts";
import { type GuardOptions, guard, guardStats, isGuarded, memoryIdempotency } from "../../../src/server/index.ts";
import { createLowLevel, createShop, newLedger, SECRET, type ShopOptions, TOOLS, withOn } from "./shop.ts";

interface Outcome {
  readonly wire: unknown;
  readonly fault: Fault | undefined;
  readonly code?: number;
}

/** What came back, with the fault that a client can read from it. */
async function outcome(answer: Promise<unknown>): Promise<Outcome> {
  try {
    const result = (await answer) as { _meta?: Record<string, unknown> };
    return { wire: result, fault: readFault(result._meta?.["recourse/fault"]) };
  } catch (error) {
    const { code, data, message } = error as { code: number; data?: Record<string, unknown>; message: string };
    return { wire: { code, data, message }, fault: readFault(data?.["recourse/fault"]), code };
  }
}

async function open(era: Era, shop: ShopOptions = {}) {
  return (await openHttpPair(era, () => createShop(sdkVersion(era), shop))).client;
}

async function call(era: Era, name: string, shop: ShopOptions = {}, more: object = {}): Promise<Outcome> {
  const client = await open(era, shop);
  return outcome(client.callTool({ name, arguments: {}, ...more }));
}

describe.each(ERAS)("%s", (era) => {
  describe.each([true, false])("handlers set before the guard: %s", (isSetBefore) => {
    test("nothing foreign leaves, and a tool that only reads changed nothing", async () => {
      const incidents: Incident[] = [];
      const options: GuardOptions = { sink: (one) => void incidents.push(one), foreignText: "public" };
      const read = await call(era, "find", { isSetBefore, options });
      expect(findLeaks(read.wire, [SECRET, "hunter2"])).toEqual([]);
      expect(read.wire).toMatchObject({ isError: true, content: [{ type: "text" }] });
      expect(read.fault).toMatchObject({ effect: "none", incident: expect.any(String) });
      expect(incidents).toMatchObject([{ method: "tools/call", tool: "find" }]);
      expect((await call(era, "link", { isSetBefore, options })).fault).toMatchObject({ effect: "possible" });
    });

    test("a fault of the author arrives whole", async () => {
      const { fault } = await call(era, "states", { isSetBefore });
      expect(fault).toMatchObject({ reason: "core/conflict", params: { what: "order 7" } });
    });

    test("a returned failure stays if it may be shown, and loses what a rule finds", async () => {
      const { wire, fault } = await call(era, "returns", { isSetBefore });
      expect(wire).toMatchObject({ isError: true, content: [{ type: "text", text: "Insufficient funds." }] });
      expect(fault?.reason).toBe("tool/failed");
      const leaked = await call(era, "leaks", { isSetBefore });
      expect(findLeaks(leaked.wire, [SECRET, "hunter2"])).toEqual([]);
      expect(leaked.fault).toMatchObject({ reason: "tool/failed", incident: expect.any(String) });
    });

    test("an unknown tool has the error of the protocol, with what is near", async () => {
      const incidents: Incident[] = [];
      const options: GuardOptions = { sink: (one) => void incidents.push(one) };
      const unknown = await call(era, "finds", { isSetBefore, options });
      expect(unknown).toMatchObject({ code: -32602, fault: { reason: "tool/not_found", effect: "none" } });
      expect(unknown.fault?.recourse[0]).toEqual({ do: "choose_another", candidates: ["find"] });
      expect(await call(era, "returns_unknown", { isSetBefore, options })).toMatchObject({
        code: -32602,
        fault: { reason: "tool/not_found" },
      });
      expect(incidents).toEqual([]);
    });

    test("a call that takes too long is ended, and its handler is told", async () => {
      const ledger = newLedger();
      const aborted = new Promise<void>((resolve) => {
        ledger.aborted = resolve;
      });
      const shop = { isSetBefore, ledger, options: { deadlineMs: 40 } };
      expect((await call(era, "waits", shop)).fault).toMatchObject({ reason: "tool/timeout", effect: "possible" });
      await aborted;
      expect((await call(era, "waits_reading", shop)).fault).toMatchObject({ effect: "none" });
    });
  });

  test("a tool that is not listed still runs, and fails like any other", async () => {
    expect((await call(era, "hidden")).wire).toMatchObject({ content: [{ text: "found" }] });
    expect((await call(era, "hidden_broken")).fault?.reason).not.toBe("tool/not_found");
  });

  test("arguments are checked if the author asks for it", async () => {
    const ledger = newLedger();
    const args = { arguments: { n: "two" } };
    expect((await call(era, "order", { ledger }, args)).wire).toMatchObject({ content: [{ text: "order 1 of two" }] });
    const options = { checkArguments: true };
    const refused = await call(era, "order", { ledger, options }, args);
    expect(refused).toMatchObject({
      wire: { isError: true },
      fault: { reason: "tool/invalid_arguments", issues: [{ pointer: "/n", rule: "type" }] },
    });
    expect((await call(era, "order", { ledger, options }, { arguments: undefined })).fault).toMatchObject({
      issues: [{ pointer: "/n", rule: "required" }],
    });
    expect(ledger.orders).toBe(1);
    const good = await call(era, "order", { ledger, options }, { arguments: { n: 3 } });
    expect(good.wire).toMatchObject({ content: [{ text: "order 2 of 3" }] });
    expect((await call(era, "finds", { options })).fault?.reason).toBe("tool/not_found");
  });

  test("a key runs a call once", async () => {
    const ledger = newLedger();
    const options: GuardOptions = { idempotency: { store: memoryIdempotency(), caller: () => "ann" } };
    const keyed = { arguments: { n: 1 }, _meta: { "recourse/call": { key: "k" } } };
    const client = await open(era, { ledger, options });
    const texts = [];
    for (let times = 0; times < 2; times += 1) texts.push(await client.callTool({ name: "order", ...keyed }));
    expect(texts).toMatchObject([{ content: [{ text: "order 1 of 1" }] }, { content: [{ text: "order 1 of 1" }] }]);
    expect(ledger.orders).toBe(1);
  });

  test("a result that is none, or that JSON cannot say, is answered all the same", async () => {
    expect((await call(era, "broken")).fault?.reason).toBe("tool/output_invalid");
    expect((await call(era, "bigint")).fault).toMatchObject({ reason: "tool/result_unsendable", effect: "none" });
  });

  test("the list of a server is asked for when a call has failed, and no sooner", async () => {
    const ledger = newLedger();
    await call(era, "order", { ledger }, { arguments: { n: 1 } });
    expect(ledger.lists).toBe(0);
    await call(era, "find", { ledger });
    expect(ledger.lists).toBe(1);
  });

  test("declared reasons have codes in the list", async () => {
    const client = await open(era, { options: { dialect: erlmcp } });
    const { tools } = (await client.listTools()) as { tools: { name: string; _meta?: Record<string, unknown> }[] };
    const codes = Object.fromEntries(tools.map(({ name, _meta: meta }) => [name, meta?.["recourse/codes"]]));
    expect(codes).toMatchObject({ states: [expect.any(Number)], find: undefined });
  });

  test("resources, prompts and completions are masked too, code and data as well", async () => {
    const client = await open(era);
    const ref = { type: "ref/prompt", name: "greet" };
    const complete = (client as unknown as { complete(params: object): Promise<unknown> }).complete.bind(client);
    for (const [ask, reason] of [
      [() => client.readResource({ uri: "shop://prices" }), "core/internal"],
      [() => client.getPrompt({ name: "greet" }), "core/unrecognised"],
      [() => complete({ ref, argument: { name: "a", value: "b" } }), "core/internal"],
    ] as const) {
      const { wire, fault, code } = await outcome(ask());
      expect(findLeaks(wire, [SECRET, "hunter2", "1045"])).toEqual([]);
      expect(code).toBe(-32603);
      expect(fault).toMatchObject({ reason, effect: "none", incident: expect.any(String) });
    }
  });

  test("unknown resources and prompts are not the server's failure", async () => {
    const client = await open(era);
    const read = await outcome(client.readResource({ uri: "shop://price" }));
    expect(read).toMatchObject({ code: era === "v1" ? -32002 : -32602, wire: { data: { uri: "shop://price" } } });
    const prompt = await outcome(client.getPrompt({ name: "gret" }));
    expect(prompt).toMatchObject({ code: -32602, fault: { reason: "prompt/not_found" } });
    expect(prompt.fault?.recourse[0]).toEqual({ do: "choose_another", candidates: ["greet"] });
  });
});

/** What a client on some other transport than HTTP gets. */
async function expectGuarded(client: AnyClient): Promise<void> {
  const found = await outcome(client.callTool({ name: "find", arguments: {} }));
  expect(findLeaks(found.wire, [SECRET, "hunter2"])).toEqual([]);
  expect(found.fault).toMatchObject({ effect: "none" });
  const unknown = await outcome(client.callTool({ name: "finds", arguments: {} }));
  expect(unknown).toMatchObject({ code: -32602, fault: { reason: "tool/not_found" } });
  const order = await client.callTool({ name: "order", arguments: { n: 1 } });
  expect(order).toMatchObject({ content: [{ text: "order 1 of 1" }] });
}

test.each(ERAS)("%s: over stdio", async (era) => {
  const stdio = new URL("stdio-shop.ts", import.meta.url);
  await expectGuarded(closeAfterTest(await connectStdioPair(era, stdio, [sdkVersion(era)])).client);
});

test.each(["v2 legacy", "v1"] as const)("%s: in memory", async (era) => {
  const [near, far] = (era === "v1" ? MemoryV1 : MemoryV2).createLinkedPair();
  await createShop(sdkVersion(era)).connect(far);
  const client = createSdkClient(era);
  await client.connect(near as never);
  await expectGuarded(client as unknown as AnyClient);
  await client.close();
});

describe.each(["v1", "v2"] as const)("%s", (version) => {
  test("guarding twice changes nothing, and counts are kept", () => {
    const server = createLowLevel(version);
    expect(guard(guard(server))).toBe(server);
    expect(isGuarded(server)).toBe(true);
    expect(guardStats(server)).toEqual({ late: 0, looksFailed: 0 });
  });

  test("an McpServer is guarded itself, not the server inside it", () => {
    const make = () => new (version === "v1" ? McpServerV1 : McpServerV2)({ name: "shop", version: "1.0.0" });
    const guarded = guard(make());
    expect(guard(guarded.server as object)).toBe(guarded.server);
    const inside = make();
    guard(inside.server as object);
    expect(() => guard(inside)).toThrow(/guard takes the McpServer itself/);
  });
});

test.each(ERAS)("%s: an own handler on an McpServer has deadlines and hints too", async (era) => {
  const version = sdkVersion(era);
  const { client } = await openHttpPair(era, () => {
    const server = new (version === "v1" ? McpServerV1 : McpServerV2)({ name: "shop", version: "1.0.0" });
    server.server.registerCapabilities({ tools: {} });
    withOn(server.server, version).on("tools/list", () => ({ tools: TOOLS }));
    withOn(server.server, version).on("tools/call", () => new Promise(() => {}));
    return guard(server, { sink: () => {}, deadlineMs: 40 });
  });
  const { fault } = await outcome(client.callTool({ name: "waits_reading", arguments: {} }));
  expect(fault).toMatchObject({ reason: "tool/timeout", effect: "none" });
});
