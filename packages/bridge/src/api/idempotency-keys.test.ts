import { McpServer } from "@modelcontextprotocol/server";
import { type IdempotencyStore, memoryIdempotency } from "@recourse/core/server";
import { connectInMemory } from "@recourse/test-kit/fixtures";
import { describe, expect, test } from "vitest";
import { answering, startCrm } from "../../test/crm.ts";

describe("idempotency keys", () => {
  const made = answering(201, {});

  test("are sent with writes only, where the service takes them", async () => {
    const { crm, upstream } = await startCrm(made);
    await crm.call("createClient", { name: "Ada" }, { idempotencyKey: "order-1" });
    await crm.call("createClient", { name: "Ada" }, { meta: { "recourse/call": { key: "order-2" } } });
    await crm.call("createClient", { name: "Ada" });
    await crm.call("deleteClient", { id: 1 }, { idempotencyKey: "order-3" });
    await crm.call("getClient", { id: 1 }, { idempotencyKey: "order-4" });
    const keys = upstream.hits.map((hit) => hit.headers["idempotency-key"]);
    expect(keys).toEqual(["order-1", "order-2", undefined, undefined, undefined]);
  });

  test("of different callers differ at the service, those of one caller are equal", async () => {
    const { crm, upstream } = await startCrm(made);
    for (const caller of ["a", "b", "a"])
      await crm.call("createClient", { name: "x" }, { idempotencyKey: "order-1", caller });
    const keys = upstream.hits.map((hit) => hit.headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toBe(keys[2]);
  });

  test("that no header can hold are sent as a digest", async () => {
    const { crm, upstream } = await startCrm(made);
    crm.operation("deleteClient", { idempotencyHeader: "X-Request-Key" });
    await crm.call("deleteClient", { id: 1 }, { idempotencyKey: "ключ\r\nX-Evil: 1" });
    expect(upstream.hits[0]?.headers["x-request-key"]).toMatch(/^[0-9a-f]{64}$/);
    expect(upstream.hits[0]?.headers).not.toHaveProperty("x-evil");
  });

  test("make a failed write repeatable", async () => {
    const { crm } = await startCrm(answering(500, {}));
    const keyed = await crm.call("createClient", { name: "x" }, { idempotencyKey: "order-1" });
    const bare = await crm.call("createClient", { name: "x" });
    expect(keyed).toMatchObject({ ok: false, fault: { effect: "possible", recourse: [{ do: "retry" }] } });
    expect(bare).toMatchObject({ ok: false, fault: { effect: "possible", recourse: [{ do: "refresh" }] } });
  });

  test("that are sent on are known to the guard, whose store may then let a call run again", async () => {
    const { crm } = await startCrm(made);
    const claims: boolean[] = [];
    const begin: IdempotencyStore["begin"] = async (_key, _digest, { honoured }) => {
      claims.push(honoured);
      return { state: "running" };
    };
    const idempotency: IdempotencyStore = { ...memoryIdempotency(), begin };
    const server = new McpServer({ name: "crm", version: "1.0.0" });
    const client = await connectInMemory(crm.register(server, { idempotency: { store: idempotency } }));
    const _meta = { "recourse/call": { key: "order-1" } };
    await client.callTool({ name: "createClient", arguments: { name: "Ada" }, _meta });
    await client.callTool({ name: "deleteClient", arguments: { id: 1 }, _meta });
    expect(claims).toEqual([true, false]);
  });
});
