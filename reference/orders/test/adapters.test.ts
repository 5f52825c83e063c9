// Both adapters work alike, and recover their backends.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ADAPTER_NAMES, type AdapterName } from "../src/mcp/start.ts";
import type { Order } from "../src/orders/order.ts";
import { observe } from "./support/observers.ts";
import { createTestEnvironment, type TestEnvironment } from "./support/test-environment.ts";

const shared = await createTestEnvironment();
afterAll(() => shared.close());

async function ask(adapter: AdapterName, tool: string, args: object, { key, environment = shared }: Extra = {}) {
  const meta = key === undefined ? {} : { "recourse/call": { key } };
  const toolCall = { adapter, tool, args: { ...args }, meta };
  const { result } = await observe("v2 modern", environment.server.url, toolCall);
  return { error: result?.error, order: result?.structuredContent as Order };
}
interface Extra {
  readonly key?: string;
  readonly environment?: TestEnvironment;
}

const wanted = (email: string, change: object = {}) => ({
  customer: { email },
  items: [{ sku: "DESK-3", quantity: 1 }],
  deliver_to: { country: "HK" },
  ...change,
});
const stock = async (sku: string) =>
  (await shared.database.query("select stock from article where sku = $1", [sku]))[0];

describe.each(ADAPTER_NAMES)("over %s", (adapter) => {
  test("an order is placed, found, listed and cancelled, and the stock follows", async () => {
    const before = await stock("DESK-3");
    const email = `whole-life-${adapter}@example.com`;
    const { order } = await ask(adapter, "place_order", wanted(email));
    expect(order).toMatchObject({ status: "open", customer: { email }, total_cents: 39_900 });
    expect(await stock("DESK-3")).not.toEqual(before);
    expect((await ask(adapter, "get_order", { order_id: order.id })).order).toEqual(order);
    expect((await ask(adapter, "list_orders", { customer: email })).order).toEqual({ orders: [order] });
    const cancelled = { ...order, status: "cancelled" };
    // Once more does no harm.
    for (const _ of [1, 2])
      expect((await ask(adapter, "cancel_order", { order_id: order.id })).order).toEqual(cancelled);
    expect(await stock("DESK-3")).toEqual(before);
  });

  test("an order that is placed twice with one key is one order", async () => {
    const email = `twice-${adapter}@example.com`;
    const key = "the-same";
    const placed = await Promise.all([1, 2, 3].map(() => ask(adapter, "place_order", wanted(email), { key })));
    expect(new Set(placed.map(({ order }) => order.id)).size).toBe(1);
  });

  test("simultaneous orders sell the last chair once", async () => {
    await shared.database.query("update article set stock = 1 where sku = 'CHAIR-2'");
    const items = [{ sku: "CHAIR-2", quantity: 1 }];
    const buyers = [1, 2, 3, 4].map((n) => wanted(`buyer-${n}-${adapter}@example.com`, { items }));
    const outcomes = await Promise.all(buyers.map((order) => ask(adapter, "place_order", order)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(1);
    const refused = outcomes.flatMap(({ error }) => error?.details?.["originalError"] ?? []);
    expect(refused).toEqual(["OUT_OF_STOCK", "OUT_OF_STOCK", "OUT_OF_STOCK"]);
    expect(await stock("CHAIR-2")).toEqual({ stock: 0 });
  });
});

test("both adapters see the same orders", async () => {
  const { order } = await ask("rest", "place_order", wanted("both@example.com"));
  expect((await ask("postgres", "get_order", { order_id: order.id })).order).toEqual(order);
});

describe("an outage of a backend", () => {
  test("is no longer called after a while, and recovers by itself", async () => {
    const environment = await createTestEnvironment({
      adapter: { breaker: { failures: 2, pauseMs: 50 } },
    });
    onTestFinished(() => environment.close());
    const get = (adapter: AdapterName) => ask(adapter, "get_order", { order_id: "ORD-1001" }, { environment });
    environment.databaseProxy.disconnect();
    for (const adapter of ADAPTER_NAMES) {
      for (const _ of [1, 2, 3]) expect((await get(adapter)).error).toMatchObject({ code: 4002, retryable: true });
    }
    const told = environment.incidents.map(({ cause }) => (cause as Error | undefined)?.message);
    expect(told.filter((text) => text === "adapter orders: the backend is down")).toHaveLength(ADAPTER_NAMES.length);
    environment.databaseProxy.reconnect();
    for (const adapter of ADAPTER_NAMES) {
      await expect.poll(async () => (await get(adapter)).error, { timeout: 20_000, interval: 100 }).toBeUndefined();
    }
  });
});

test("a key that the service refuses concerns the operator", async () => {
  const environment = await createTestEnvironment({ key: "key-that-was-revoked" });
  onTestFinished(() => environment.close());
  const { error } = await ask("rest", "get_order", { order_id: "ORD-1001" }, { environment });
  // Waiting does not help, so it is not 4002, which is always retryable.
  expect(error).toMatchObject({ code: 4001, retryable: false });
  expect(JSON.stringify(error)).not.toContain("key");
  expect(environment.incidents.map(({ fault }) => fault.reason)).toContain("rest/upstream_auth");
});
