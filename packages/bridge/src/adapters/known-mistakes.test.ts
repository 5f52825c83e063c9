// Known mistakes of MCP adapters. Each test shows that one of them cannot be made with this package.
import { globSync, readFileSync } from "node:fs";
import { type Fault, readFault } from "@recourse/faults";
import { closient, http, onx } from "@recourse/faults/dialects";
import { connectPair } from "@recourse/test-kit/sdk-pairs";
import { findLeaks } from "@recourse/testing";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { AdapterError } from "./adapter-error.ts";
import { defineAdapter } from "./define-adapter.ts";

const SECRET = "hunter2-and-then-some";
const runs: string[] = [];
const world = { initialised: 0 };

/** Every tool fails in the way that its argument names. */
const WAYS: Readonly<Record<string, () => object>> = {
  message: () => {
    throw new Error(`upstream said: ${SECRET}`);
  },
  details: () => {
    throw Object.assign(new Error("failed"), { details: { key: SECRET }, data: { key: SECRET }, retryable: true });
  },
  "words invalid": () => {
    throw new Error("invalid field: validation required");
  },
  "words timeout": () => {
    throw new Error("timeout: rate limit exceeded, not found");
  },
  busy: () => {
    throw new AdapterError("BUSY", { cause: new Error(SECRET) });
  },
  "success false": () => ({ content: [], structuredContent: { success: false, message: SECRET } }),
  reset: () => {
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  },
};

const handler = ({ way }: { way: string }) => {
  runs.push(way);
  const fail = WAYS[way];
  return fail === undefined ? { content: [{ type: "text", text: "done" }] } : fail();
};
const inputSchema = z.object({ way: z.string(), quantity: z.number().int().max(9).optional() });

const adapter = defineAdapter({
  name: "orders",
  faults: {
    BUSY: { kind: "overloaded", text: "The warehouse is busy.", retry: { allowed: true, afterMs: 2_000 } },
  },
  lifecycle: {
    initialise: async () => {
      world.initialised++;
    },
  },
  tools: {
    create_order: { description: "A write.", inputSchema, handler },
    get_order: { description: "A read.", inputSchema, annotations: { readOnlyHint: true }, handler },
  },
}).create(undefined, { sink: () => {}, breaker: { failures: 1_000 } });

const pair = await connectPair("v2 modern", (server) => adapter.register(server));
afterAll(async () => {
  await pair.close();
  await adapter.close();
});

interface Result {
  readonly isError?: boolean;
  readonly _meta?: { readonly "recourse/fault"?: Fault };
}
const call = async (name: string, args: object) =>
  (await pair.client.callTool({ name, arguments: args as Record<string, unknown> })) as Result;
const faultOf = async (name: string, args: object) =>
  readFault((await call(name, args))._meta?.["recourse/fault"]) as Fault;

it.each(["message", "details", "success false", "busy"])(
  "the backend's own text never reaches the caller: %s",
  async (way) => {
    const result = await call("create_order", { way });
    expect(result.isError).toBe(true);
    expect(findLeaks(result, [SECRET])).toEqual([]);
  },
);

it("a rejected value does not come back, and every problem is reported, not only the first", async () => {
  const result = await call("create_order", { way: 7, quantity: 4242, [SECRET]: 1 });
  const fault = result._meta?.["recourse/fault"];
  expect(fault?.reason).toBe("tool/invalid_arguments");
  expect(fault?.issues?.map(({ pointer, rule }) => `${pointer} ${rule}`)).toEqual(
    expect.arrayContaining(["/way type", "/quantity range"]),
  );
  expect(findLeaks(result, [SECRET, "4242"])).toEqual([]);
});

it("wrong arguments fail the tool result, an unknown tool is a protocol error", async () => {
  expect((await call("create_order", {})).isError).toBe(true);
  await expect(pair.client.callTool({ name: "no_such_tool" })).rejects.toMatchObject({ code: -32602 });
});

it("the words of a message decide nothing", async () => {
  const [a, b, c] = await Promise.all(
    ["words invalid", "words timeout", "message"].map((way) => faultOf("create_order", { way })),
  );
  const { incident: _a, at: _at, ...plain } = a as Fault;
  for (const other of [b, c]) expect(other).toMatchObject(plain);
  expect([plain.reason, plain.retry]).toEqual(["adapter/failed", undefined]);
});

it("one identifier has one answer to whether it may be repeated, on every way out", async () => {
  const faults = [await faultOf("create_order", { way: "busy" }), await faultOf("get_order", { way: "busy" })];
  for (const fault of faults) {
    expect(fault.retry).toEqual({ allowed: true, afterMs: 2_000 });
    expect(onx.encode(fault)).toMatchObject({ result: { error: { retryable: true } } });
  }
});

it("a wait is in milliseconds inside, and in the unit of the wire outside", async () => {
  const fault = await faultOf("create_order", { way: "busy" });
  expect(fault.retry?.afterMs).toBe(2_000);
  expect(http.encode(fault)).toMatchObject({ headers: { "retry-after": "2" } });
  expect(JSON.stringify(closient.encode(fault))).toContain('"retry_after":2');
});

it("code, identifier and advice arrive, not only a sentence", async () => {
  const fault = await faultOf("create_order", { way: "busy" });
  expect(fault).toMatchObject({
    reason: "orders/busy",
    params: { originalError: "BUSY" },
    recourse: [{ do: "retry" }],
  });
  expect(onx.encode(fault)).toMatchObject({
    result: { isError: true, error: { code: 4002, details: { originalError: "BUSY" } } },
  });
});

it("a failure that is returned is a failure for the caller, and shows nothing about the backend", async () => {
  await call("create_order", { way: "fine" });
  for (let time = 0; time < 5; time++)
    expect(await faultOf("create_order", { way: "success false" })).toMatchObject({ reason: "adapter/failed" });
  expect(adapter.health.status).toBe("healthy");
});

it.each(["create_order", "get_order"])("%s is never repeated here, whatever the failure", async (name) => {
  for (const way of ["reset", "busy", "message"]) {
    runs.length = 0;
    await call(name, { way });
    expect(runs).toEqual([way]);
  }
});

it("a write that lost its connection may have happened; a read has not changed anything", async () => {
  expect(await faultOf("create_order", { way: "reset" })).toMatchObject({
    effect: "possible",
    recourse: [{ do: "refresh" }],
  });
  expect(await faultOf("get_order", { way: "reset" })).toMatchObject({ effect: "none", recourse: [{ do: "retry" }] });
});

it("the backend is initialised once for all the calls", () => {
  expect(world.initialised).toBe(1);
});

it("no code is loaded by a name from the configuration, and nothing is printed onto the wire", () => {
  const sources = globSync(`${import.meta.dirname}/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  expect(sources.length).toBeGreaterThan(5);
  for (const file of sources)
    expect(readFileSync(file, "utf8"), file).not.toMatch(/\bimport\(|\brequire\(|console\.|process\.stdout/);
});
