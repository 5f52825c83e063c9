// Both adapters give the same answer to any call.

import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { ADAPTER_NAMES, type AdapterName } from "../src/mcp/start.ts";
import { observe } from "./support/observers.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());
await environment.database.query("update article set stock = case sku when 'CHAIR-2' then 2 else 1000000 end");

/** Right ones more often than wrong ones, so that wrong ones are observed one at a time, too. */
const mostly = <T>(right: fc.Arbitrary<T>, ...wrong: readonly unknown[]) =>
  fc.oneof(
    { weight: 4, arbitrary: right as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );

const item = fc.record({
  sku: mostly(fc.constantFrom("LAMP-1", "DESK-3"), "SOFA-9", "", 7, undefined),
  quantity: mostly(fc.integer({ min: 1, max: 100 }), 0, 101, 1.5, "2", null, undefined),
});
const chairs = fc.constant({ sku: "CHAIR-2", quantity: 3 });
const items = fc.array(fc.oneof({ weight: 5, arbitrary: item }, { weight: 1, arbitrary: chairs }), {
  minLength: 1,
  maxLength: 3,
});
const place = fc.record({
  country: mostly(fc.constantFrom("CH", "DE", "HK"), "XX", "Switzerland", 5),
  postcode: mostly(fc.constantFrom("8001", "10115"), undefined, "ABC", "1".repeat(13)),
});
const order = fc.record({ items: mostly(items, [], "x"), deliver_to: mostly(place, undefined, {}) });

let customers = 0;

async function answerOf(adapter: AdapterName, tool: string, args: Record<string, unknown>) {
  const { result, error: rpc } = await observe("plain HTTP", environment.server.url, { adapter, tool, args });
  const { id: _own, placed_at: _when, ...rest } = (result?.structuredContent ?? {}) as Record<string, unknown>;
  return { error: result?.error, rpc, rest };
}

test("about an order that is placed", async () => {
  const codes = new Set<number | undefined>();
  await fc.assert(
    fc.asyncProperty(order, async (wanted) => {
      // Every order has its own customer, so no order rate is exceeded.
      customers++;
      const ask = async (adapter: AdapterName) => {
        const email = `${adapter}-${customers}@example.com`;
        const answer = await answerOf(adapter, "place_order", { ...wanted, customer: { email } });
        return { ...answer, rest: { ...answer.rest, customer: undefined } };
      };
      const [one, other] = await Promise.all(ADAPTER_NAMES.map(ask));
      expect(one).toEqual(other);
      codes.add(one?.error?.code);
    }),
    { numRuns: runs(150) },
  );
  // The orders were of all sorts.
  for (const code of [undefined, 2001, 4001]) expect(codes).toContain(code);
});

test.each(["get_order", "cancel_order", "track_shipment"])("about the order that %s names", async (tool) => {
  const id = fc.oneof(
    fc.constantFrom("ORD-1002", "ORD-9999", "1001", "ord-1001", "ORD-1001/../1002", 1001, null),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(id, async (order_id) => {
      const [one, other] = await Promise.all(ADAPTER_NAMES.map((adapter) => answerOf(adapter, tool, { order_id })));
      expect(one).toEqual(other);
    }),
    { numRuns: 30 },
  );
});
