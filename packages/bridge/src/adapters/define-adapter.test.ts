import { globSync, readFileSync } from "node:fs";
import { type Fault, type FaultError, slot } from "@recourse/core";
import { onx } from "@recourse/core/dialects";
import { guard } from "@recourse/core/server";
import { closeAfterTest, openPair } from "@recourse/test-kit/fixtures";
import { type AnyServer, ERAS, type Era, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { expectNoLeak } from "@recourse/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { AdapterError } from "./adapter-error.ts";
import { defineAdapter } from "./define-adapter.ts";
import type { ToolSpec } from "./spec.ts";

interface Config {
  readonly url: string;
}
const CANARY = "postgres://app:hunter2@10.0.0.5/shop";

const shop = defineAdapter({
  name: "shop",
  faults: {
    ORDER_NOT_FOUND: { kind: "not_found", text: "There is no such order." },
    SOLD_OUT: { kind: "precondition_failed", text: "Only {left} are left.", slots: { left: slot.integer } },
    SHOP_BUSY: { kind: "overloaded", text: "The shop is busy.", retry: { allowed: true, afterMs: 2_000 } },
  },
  lifecycle: { initialise: async ({ url }: Config) => ({ url, orders: new Map([["7", "shipped"]]) }) },
  tools: {
    get_order: {
      description: "Looks an order up.",
      inputSchema: z.object({ order: z.string().regex(/^[0-9]+$/), detail: z.enum(["short", "long"]).optional() }),
      annotations: { readOnlyHint: true },
      fails: ["ORDER_NOT_FOUND"],
      handler: async ({ order }, { backend, fail }) => {
        expectTypeOf(order).toEqualTypeOf<string>();
        expectTypeOf(backend.orders).toEqualTypeOf<Map<string, string>>();
        const state = backend.orders.get(order);
        if (state === undefined) throw fail("ORDER_NOT_FOUND", {}, { cause: new Error(CANARY) });
        return { content: [{ type: "text", text: state }] };
      },
    },
    fail: {
      description: "Fails in the way that its argument names.",
      inputSchema: z.object({ how: z.string() }),
      handler: ({ how }, { fail }) => {
        if (how === "busy") throw fail("SHOP_BUSY");
        if (how === "sold out") throw fail("SOLD_OUT", { left: 2 });
        if (how === "returns") return { isError: true, content: [{ type: "text", text: CANARY }] };
        if (how === "undeclared") throw new AdapterError("NO_PRINTER", { params: { url: CANARY } });
        throw new Error(CANARY);
      },
    },
    where: {
      description: "Names its backend, and takes no arguments.",
      handler: (_args, { backend }) => ({ content: [{ type: "text", text: backend.url }] }),
    },
  },
});

async function connect(era: Era, prepare = (server: AnyServer) => server): Promise<SdkPair> {
  const adapter = closeAfterTest(shop.create({ url: "shop.example" }, { sink: () => {} }));
  return openPair(era, (server) => adapter.register(prepare(server)));
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: { readonly "recourse/fault"?: Fault };
}
const callOf = async ({ client }: SdkPair, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })) as Result;

const UNDECLARED = 'The backend of this tool has failed: "NO_PRINTER".';

describe.each(ERAS)("an adapter on %s", (era) => {
  it("serves its tools, with the author's schemas and what they declare", async () => {
    const pair = await connect(era);
    expect((await callOf(pair, "get_order", { order: "7" })).content[0]?.text).toBe("shipped");
    expect((await callOf(pair, "where", {})).content[0]?.text).toBe("shop.example");
    const { tools } = (await pair.client.listTools()) as {
      tools: { name: string; inputSchema: object; _meta: object }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(["get_order", "fail", "where"]);
    expect(tools[0]).toMatchObject({
      inputSchema: { required: ["order"], properties: { detail: { enum: ["short", "long"] } } },
      annotations: { readOnlyHint: true },
      _meta: { "recourse/declares": ["shop/order_not_found", "adapter/failed", "adapter/unavailable", "tool/timeout"] },
    });
  });

  it.each([
    ["get_order", { order: "8" }, "shop/order_not_found", "not_found", "ORDER_NOT_FOUND", "There is no such order."],
    ["fail", { how: "sold out" }, "shop/sold_out", "precondition_failed", "SOLD_OUT", "Only 2 are left."],
    ["fail", { how: "busy" }, "shop/shop_busy", "overloaded", "SHOP_BUSY", "The shop is busy."],
    ["fail", { how: "undeclared" }, "adapter/failed", "upstream_failed", "NO_PRINTER", UNDECLARED],
    ["fail", { how: "returns" }, "tool/failed", "unknown", undefined, 'The tool "fail" reported a failure.'],
    ["fail", { how: "throws" }, "adapter/failed", "upstream_failed", undefined, "The backend of this tool has failed."],
  ])("answers %s %j with %s", async (name, args, reason, kind, originalError, message) => {
    const pair = await connect(era);
    const result = await callOf(pair, name, args);
    const fault = result._meta?.["recourse/fault"];
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text.startsWith(message)).toBe(true);
    expect(fault).toMatchObject({ reason, kind, message });
    expect(fault?.params?.["originalError"]).toBe(originalError);
    expectNoLeak(result, [CANARY, "SECRET_PROJECT_X", "hunter2"]);
  });

  it("keeps the guard of a server that is already guarded", async () => {
    const sunk: unknown[] = [];
    const pair = await connect(era, (server) => guard(server, { sink: ({ cause }) => sunk.push(cause), dialect: onx }));
    expect(await callOf(pair, "fail", { how: "sold out" })).toMatchObject({ isError: true });
    expect(onx.decode(pair.take().message)).toMatchObject({ cause: { params: { originalError: "SOLD_OUT" } } });
    // A caller reads a declared failure in full, so it is not reported.
    expect(sunk).toEqual([]);
    expect(await callOf(pair, "fail", { how: "throws" })).toMatchObject({ isError: true });
    expect(sunk).toHaveLength(1);
  });
});

describe("defineAdapter", () => {
  it("shows the reasons behind the identifiers", () => {
    const { ORDER_NOT_FOUND, SOLD_OUT, SHOP_BUSY } = shop.reasons;
    const ids = [ORDER_NOT_FOUND, SOLD_OUT, SHOP_BUSY].map(({ id }) => id);
    expect(ids).toEqual(["shop/order_not_found", "shop/sold_out", "shop/shop_busy"]);
    expectTypeOf<keyof typeof shop.reasons>().toEqualTypeOf<"ORDER_NOT_FOUND" | "SOLD_OUT" | "SHOP_BUSY">();
    expectTypeOf(shop.create).parameter(0).toEqualTypeOf<Config>();
  });

  it("start() opens the backend, and throws where it cannot", async () => {
    const adapter = shop.create({ url: "shop.example" });
    expect(adapter.health.status).toBe("idle");
    await adapter.start();
    expect(adapter.health.status).toBe("healthy");
    await adapter.close();
    await expect(adapter.start()).rejects.toSatisfy(({ fault }: FaultError) => fault.reason === "adapter/unavailable");
  });

  it("refuses a tool with an undeclared failure or without time", () => {
    const lifecycle = { initialise: () => undefined };
    const tool = { description: "A tool.", handler: () => ({}) };
    const faults = { GONE: { kind: "not_found", text: "It is gone." } } as const;
    const define = (more: object) =>
      defineAdapter({ name: "shop", faults, lifecycle, tools: { buy: { ...tool, ...more } } });
    const typed = (tools: { buy: ToolSpec<undefined, undefined, typeof faults> }) =>
      defineAdapter({ name: "shop", faults, lifecycle, tools });
    expect(() => define({ fails: ["LOST"] })).toThrow("buy fails with LOST, which shop does not declare");
    expect(() => define({ deadlineMs: 0 })).toThrow("tools.buy.deadlineMs must be a number from 1");
    // @ts-expect-error an identifier that is not declared
    const tools = { buy: { ...tool, fails: ["LOST"] } } satisfies Parameters<typeof typed>[0];
    expect(() => typed(tools as never)).toThrow("LOST");
  });
});

it("no code is loaded by a name from the configuration, and nothing is printed onto the wire", () => {
  const sources = globSync(`${import.meta.dirname}/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  expect(sources.length).toBeGreaterThan(5);
  for (const file of sources)
    expect(readFileSync(file, "utf8"), file).not.toMatch(/\bimport\(|\brequire\(|console\.|process\.stdout/);
});
