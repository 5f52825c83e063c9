// Idempotency keys with servers of the official SDK over HTTP: a repeated call has one effect.
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { openPair } from "@recourse/test-kit/fixtures";
import { type AnyServer, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readFault } from "../../../src/index.ts";
import { core } from "../../../src/reasons/index.ts";
import { type GuardOptions, guard, guardStats, type Incident, memoryIdempotency } from "../../../src/server/index.ts";
import { META, post } from "./guarded-handler.ts";

/** A server whose tools count their effects. Over HTTP every request gets a server of its own. */
async function shop(era: Era, options: GuardOptions = {}) {
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const servers: object[] = [];
  const build = (server: AnyServer) => {
    const tool = (name: string, run: (args: { item: string }) => unknown) =>
      server.registerTool(name, { inputSchema: z.object({ item: z.string() }) }, run as never);
    const order = (item: string) => {
      done.push(item);
      return { content: [{ type: "text", text: `order ${done.length}: ${item}` }] };
    };
    tool("order", ({ item }) => order(item));
    tool("breaks", ({ item }) => {
      order(item);
      throw new TypeError("hunter2");
    });
    tool("refuses", ({ item }) => {
      done.push(item);
      throw core.conflict();
    });
    tool("waits", async ({ item }) => {
      await gate.promise;
      return order(item);
    });
    servers.push(server);
    return guard(server, {
      sink: () => {},
      ...options,
      idempotency: { caller: () => "ann", ...options.idempotency },
    });
  };
  const pair = await openPair(era, build);
  const call = async (name: string, recourse: object, item = "pen") => {
    const params = { name, arguments: { item }, _meta: { "recourse/call": recourse } };
    try {
      const result = (await pair.client.callTool(params)) as ToolResult;
      return { text: result.content[0]?.text, fault: readFault(result._meta?.["recourse/fault"]) };
    } catch (error) {
      const { code, data } = error as { code: number; data?: Record<string, unknown> };
      return { code, fault: readFault(data?.["recourse/fault"]) };
    }
  };
  return { call, done, gate, servers, client: pair.client };
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe.each(ERAS)("%s", (era) => {
  test("a repeated call gets the same answer, and has one effect", async () => {
    const { call, done } = await shop(era, { idempotency: { store: memoryIdempotency() } });
    const first = await call("order", { key: "a" });
    expect(first.text).toBe("order 1: pen");
    expect(await call("order", { key: "a" })).toEqual(first);
    expect((await call("order", { key: "b" })).text).toBe("order 2: pen");
    expect((await call("order", {})).text).toBe("order 3: pen");
    expect(done).toHaveLength(3);
  });

  test("a failure that may have had an effect is repeated with the same incident, and reported once", async () => {
    const incidents: Incident[] = [];
    const sink = (incident: Incident) => incidents.push(incident);
    const { call, done } = await shop(era, { idempotency: { store: memoryIdempotency() }, sink });
    const first = await call("breaks", { key: "a" });
    expect(first.fault).toMatchObject({ reason: "core/internal", effect: "possible" });
    expect(await call("breaks", { key: "a" })).toEqual(first);
    expect(done).toEqual(["pen"]);
    expect(incidents).toHaveLength(1);
  });

  test("a failure without effect leaves the key free", async () => {
    const { call, done } = await shop(era, { idempotency: { store: memoryIdempotency() } });
    for (let time = 1; time <= 2; time++) {
      expect((await call("refuses", { key: "a" })).fault).toMatchObject({ reason: "core/conflict", effect: "none" });
      expect(done).toHaveLength(time);
    }
  });

  test("a key that was used for another call is refused", async () => {
    const { call, done } = await shop(era, { idempotency: { store: memoryIdempotency() } });
    await call("order", { key: "a" });
    expect((await call("order", { key: "a" }, "ink")).fault?.reason).toBe("idempotency/key_reused");
    expect(done).toEqual(["pen"]);
  });

  test("a call that exceeds its deadline goes on under its key", async () => {
    const { call, done, gate, servers } = await shop(era, { idempotency: { store: memoryIdempotency() } });
    expect((await call("waits", { key: "a", deadlineMs: 1_000 })).fault?.reason).toBe("tool/timeout");
    expect((await call("waits", { key: "a" })).fault?.reason).toBe("idempotency/in_progress");
    gate.resolve();
    await expect.poll(() => servers.reduce((sum, one) => sum + guardStats(one).late, 0)).toBe(1);
    expect((await call("waits", { key: "a" })).text).toBe("order 1: pen");
    expect(done).toEqual(["pen"]);
  });

  test("a call that does not end is unknown after a while, is not made again, and may still end", async () => {
    let time = 0;
    const idempotency = memoryIdempotency({ testing: { clock: { monotonic: () => time } } });
    const { call, done, gate } = await shop(era, { idempotency: { store: idempotency }, deadlineMs: 1_000 });
    expect((await call("waits", { key: "a" })).fault?.reason).toBe("tool/timeout");
    time = 5_999;
    expect((await call("waits", { key: "a" })).fault?.reason).toBe("idempotency/in_progress");
    time = 6_000;
    expect((await call("waits", { key: "a" })).fault).toMatchObject({
      reason: "idempotency/outcome_unknown",
      recourse: [{ do: "refresh" }, { do: "ask_user" }],
    });
    gate.resolve();
    await expect.poll(async () => (await call("waits", { key: "a" })).text).toBe("order 1: pen");
    expect(done).toEqual(["pen"]);
  });

  test("an invalid key is refused, not ignored", async () => {
    const { call, done } = await shop(era, { idempotency: { store: memoryIdempotency() } });
    expect(await call("order", { key: 7 })).toMatchObject({
      code: -32602,
      fault: { reason: "protocol/malformed_call" },
    });
    expect(done).toEqual([]);
  });

  test("no call runs when the store is unavailable", async () => {
    const begin = () => Promise.reject(new Error("hunter2"));
    const { call, done } = await shop(era, { idempotency: { store: { ...memoryIdempotency(), begin } } });
    expect((await call("order", { key: "a" })).fault).toMatchObject({ reason: "core/unavailable", effect: "none" });
    expect(done).toEqual([]);
  });

  test("a server announces whether keys are honoured; if not, keys change nothing", async () => {
    const extensionsOf = (client: unknown) =>
      (client as { getServerCapabilities(): { extensions?: object } }).getServerCapabilities().extensions;
    const withStore = await shop(era, { idempotency: { store: memoryIdempotency() } });
    expect(extensionsOf(withStore.client)).toEqual({ "io.github.recourse-mcp/faults": { v: 1, keys: true } });
    const withoutStore = await shop(era);
    expect(extensionsOf(withoutStore.client)).toEqual({ "io.github.recourse-mcp/faults": { v: 1, keys: false } });
    await withoutStore.call("order", { key: "a" });
    await withoutStore.call("order", { key: "a" });
    expect(withoutStore.done).toHaveLength(2);
  });
});

/** One handler for callers with different credentials. */
function handlerFor(options: GuardOptions) {
  let orders = 0;
  const handler = createMcpHandler(() => {
    const server = guard(new McpServer({ name: "shop", version: "1.0.0" }), { sink: () => {}, ...options });
    server.registerTool("order", {}, (context) => {
      if (context.mcpReq.inputResponses === undefined && context.mcpReq._meta?.["ask"] === true) {
        const message = "sure?";
        const requestedSchema = { type: "object" as const, properties: {} };
        return inputRequired({ inputRequests: { sure: inputRequired.elicit({ message, requestedSchema }) } });
      }
      orders += 1;
      return { content: [{ type: "text", text: `order ${orders}` }] };
    });
    return server;
  });
  return async (auth: object | undefined, more: object = {}, meta: object = {}) => {
    const _meta = {
      ...META,
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      "recourse/call": { key: "a" },
      ...meta,
    };
    const params = { name: "order", arguments: {}, _meta, ...more };
    const request = post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { "mcp-name": "order" });
    const response = await handler.fetch(request, auth === undefined ? {} : { authInfo: auth as never });
    const { result } = (await response.json()) as { result: ToolResult & { readonly resultType: string } };
    return result.content?.[0]?.text ?? result.resultType;
  };
}

const auth = (token: string, sub?: string) => ({
  token,
  clientId: "app",
  scopes: [],
  ...(sub !== undefined && { extra: { sub } }),
});

test("a caller never gets the result of another caller", async () => {
  const call = handlerFor({ idempotency: { store: memoryIdempotency() } });
  expect(await call(auth("t1", "ann"))).toBe("order 1");
  expect(await call(auth("t2", "bob"))).toBe("order 2");
  expect(await call(auth("t3"))).toBe("order 3");
  expect(await call(auth("t4"))).toBe("order 4");
  expect(await call(undefined)).toContain("does not know whose idempotency key this is");
  expect(await call(auth("t5", "ann"))).toBe("order 1");
  expect(await call(auth("t3"))).toBe("order 3");
});

test("the author can identify the caller", async () => {
  const call = handlerFor({ idempotency: { store: memoryIdempotency(), caller: () => "tenant 1" } });
  expect(await call(auth("t1"))).toBe("order 1");
  expect(await call(auth("t2"))).toBe("order 1");
});

test("a result that requires input is not stored", async () => {
  const call = handlerFor({ idempotency: { store: memoryIdempotency() } });
  const answers = { inputResponses: { sure: { action: "accept", content: {} } } };
  expect(await call(auth("t1"), {}, { ask: true })).toBe("input_required");
  expect(await call(auth("t1"), {}, { ask: true })).toBe("input_required");
  expect(await call(auth("t1"), answers, { ask: true })).toBe("order 1");
  expect(await call(auth("t1"), answers, { ask: true })).toBe("order 1");
});
