// The server and the client before and after the move, over HTTP.
import { readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import type { Incident } from "@recourse/faults/server";
import { connectHttpPair, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { callWithRetry as callAfter, createServer as createAfter } from "./after.ts";
import { callWithRetry as callBefore, createServer as createBefore } from "./before.ts";
import { openShop } from "./orders.ts";

const SIDES = {
  before: { createServer: createBefore, callWithRetry: callBefore },
  after: { createServer: createAfter, callWithRetry: callAfter },
} as const;
type Side = keyof typeof SIDES;
const incidents: Incident[] = [];

const pairs: SdkPair[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const pair of pairs.splice(0)) await pair.close();
});

/** Notes how long timers are to wait, and does not make anybody wait a second before a call is repeated. */
function noteWaits(): readonly number[] {
  const waits: number[] = [];
  const { setTimeout: start } = globalThis;
  const startSoon = (run: () => void, ms = 0, ...rest: []) => {
    waits.push(ms);
    return start(run, isLong(ms) ? 0 : ms, ...rest);
  };
  vi.spyOn(globalThis, "setTimeout").mockImplementation(startSoon as never);
  return waits;
}

/** The wait that both clients choose by themselves. Limits of requests and connections are longer. */
const isLong = (ms: number) => ms >= 1_000 && ms < 3_000;
/** The wait that the new server asks for, with its jitter. */
const isHinted = (ms: number) => ms >= 50 && ms < 100;

/** Serves one side and connects a client. Every request has a server of its own, but there is one shop. */
async function serve(side: Side, earlyExports = 1) {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const shop = openShop({ earlyExports });
  const pair = await connectHttpPair("v2 modern", () =>
    SIDES[side].createServer(shop, (one) => void incidents.push(one)),
  );
  pairs.push(pair);
  const client = pair.client as unknown as Client;
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, content, _meta } = await client.callTool({ name, arguments: args });
    const [first] = content;
    return { isError, text: first?.type === "text" ? first.text : "", blocks: content.length, meta: _meta ?? {} };
  };
  return { client, call };
}

const CALLS = [
  ["cancel_order", { order_id: "A-7" }, undefined, "Order A-7 is cancelled."],
  ["cancel_order", { order_id: "A-8" }, "terminal", "Order A-8 was shipped."],
  ["cancel_order", { order_id: "A-9" }, "terminal", "There is no order A-9."],
  ["cancel_order", { quantity: 0 }, "validation", undefined],
  ["export_orders", {}, "retryable", "The rate limit of exports is reached."],
  ["refund", {}, "permission", undefined],
  ["stock", {}, "dependency", undefined],
  ["report", {}, "terminal", undefined],
  ["audit_log", {}, "permission", "This tool is not available to you."],
] as const;

describe.each(Object.keys(SIDES) as Side[])("%s", (side) => {
  test.each(CALLS)("%s %j: the flag and one sentence", async (name, args, group, sentence) => {
    const answer = await (await serve(side)).call(name, args);
    expect(answer).toMatchObject({ isError: group === undefined ? undefined : true, blocks: 1 });
    if (sentence !== undefined) expect(answer.text.replaceAll('"', "")).toBe(sentence);
    // A success has an envelope too: no class applies.
    expect(answer.meta["recourse/error_class"]).toBe(side === "after" ? (group ?? null) : undefined);
  });

  test.each(Object.keys(SIDES) as Side[])("the client %s waits for a rate limit and gets the result", async (of) => {
    const { client } = await serve(side);
    const waits = noteWaits();
    const result = await SIDES[of].callWithRetry(client, "export_orders", {});
    expect(result).toMatchObject({ content: [{ text: "A-7, A-8" }] });
    // Only the new client reads the hint of the new server.
    const readsHint = side === "after" && of === "after";
    expect([waits.some(isHinted), waits.some(isLong)]).toEqual([readsHint, !readsHint]);
  });

  test.each(Object.keys(SIDES) as Side[])("the client %s throws the same message in the end", async (of) => {
    const { client } = await serve(side);
    const thrown = SIDES[of].callWithRetry(client, "audit_log", {});
    await expect(thrown).rejects.toThrow("call_tool audit_log failed: This tool is not available to you.");
  });
});

test("the code on the page is the code that runs", () => {
  const page = readFileSync(new URL("../../../docs/replace/qaqnuz.md", import.meta.url), "utf8");
  const files = ["before.ts", "after.ts"].map((name) => readFileSync(new URL(name, import.meta.url), "utf8"));
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  expect(blocks).toHaveLength(5);
  for (const code of blocks) expect(files.some((file) => file.includes(code))).toBe(true);
});

describe("what got better", () => {
  test("an accident says nothing of the inside, and the operator finds it under an id", async () => {
    const leaking = await (await serve("before")).call("report");
    expect(leaking.text).toContain("Ada Lovelace");
    expect(leaking.text).toContain("qz_int_99x");
    const { text } = await (await serve("after")).call("report");
    expect(text).toBe("The call failed because of an internal error.");
    const incident = incidents.at(-1);
    expect(incident).toMatchObject({ tool: "report", cause: { message: expect.stringContaining("qz_int_99x") } });
    expect(incident?.fault.incident).toMatch(/^[0-9A-Z]{26}$/);
  });

  test("wrong arguments are described by their rules", async () => {
    expect((await (await serve("before")).call("cancel_order", { quantity: 0 })).text).toBe(
      "Invalid arguments: order_id: Invalid input: expected string, received undefined; quantity: Too small: expected number to be >=1",
    );
    const { text } = await (await serve("after")).call("cancel_order", { quantity: 0 });
    expect(text).toBe(
      'Wrong arguments for the tool "cancel_order": order_id is required (a string); quantity must be an integer of at least 1.',
    );
  });

  test("a provider that cannot be reached is a dependency on both sides", async () => {
    expect((await (await serve("before")).call("stock")).text).toBe("The provider is not available.");
    const { text, meta } = await (await serve("after")).call("stock");
    expect(text).toBe("A service that this call needs cannot be reached.");
    expect(meta["recourse/error_class"]).toBe("dependency");
  });

  test("the hint reaches the client", async () => {
    const { meta } = await (await serve("after")).call("export_orders");
    expect(meta["recourse/retry_hint"]).toEqual({
      retry_after_ms: 50,
      max_attempts: 2,
      backoff: "fixed",
      jitter: 0.2,
    });
  });
});
