// The two adapters do the same work, and look after their backends.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS, type AdapterName } from "../src/mcp/start.ts";
import type { Order } from "../src/orders/order.ts";
import { observe } from "./support/observers.ts";
import { createWorld, type World } from "./support/world.ts";

const shared = await createWorld();
afterAll(() => shared.close());

async function ask(adapter: AdapterName, tool: string, args: object, { key, world = shared }: Extra = {}) {
  const meta = key === undefined ? {} : { "recourse/call": { key } };
  const asking = { adapter, tool, args: { ...args }, meta };
  const { result } = await observe("v2 modern", world.server.url, asking);
  return { error: result?.error, order: result?.structuredContent as Order };
}
interface Extra {
  readonly key?: string;
  readonly world?: World;
}

const wanted = (email: string, change: object = {}) => ({
  customer: { email },
  items: [{ sku: "DESK-3", quantity: 1 }],
  deliver_to: { country: "HK" },
  ...change,
});
const stock = async (sku: string) =>
  (await shared.database.query("select stock from article where sku = $1", [sku]))[0];

describe.each(ADAPTERS)("over %s", (adapter) => {
  test("an order is placed, found, listed and cancelled, and its articles go and come back", async () => {
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

  test("the last chair is sold once, however many want it", async () => {
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

test("what one adapter has done the other sees", async () => {
  const { order } = await ask("rest", "place_order", wanted("both@example.com"));
  expect((await ask("postgres", "get_order", { order_id: order.id })).order).toEqual(order);
});

describe("a backend that stays away", () => {
  test("is no longer asked after a while, and found again by itself", async () => {
    const world = await createWorld({ adapter: { degradedAfter: 1, downAfter: 2, probeMs: 50 } });
    onTestFinished(() => world.close());
    const get = (adapter: AdapterName) => ask(adapter, "get_order", { order_id: "ORD-1001" }, { world });
    world.databaseCable.pull();
    for (const adapter of ADAPTERS) {
      for (const _ of [1, 2, 3]) expect((await get(adapter)).error).toMatchObject({ code: 4002, retryable: true });
    }
    const told = world.incidents.map(({ cause }) => (cause as Error | undefined)?.message);
    expect(told.filter((text) => text === "adapter orders: the backend is down")).toHaveLength(ADAPTERS.length);
    world.databaseCable.plug();
    for (const adapter of ADAPTERS) {
      await expect.poll(async () => (await get(adapter)).error, { timeout: 20_000, interval: 100 }).toBeUndefined();
    }
  });
});

test("a key that the service refuses is the operator's matter: no caller can mend it", async () => {
  const world = await createWorld({ key: "key-that-was-revoked" });
  onTestFinished(() => world.close());
  const { error } = await ask("rest", "get_order", { order_id: "ORD-1001" }, { world });
  expect(error).toMatchObject({ code: 4002, retryable: false });
  expect(JSON.stringify(error)).not.toContain("key");
  expect(world.incidents.map(({ fault }) => fault.reason)).toContain("rest/upstream_auth");
});
