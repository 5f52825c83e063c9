import { expectNoLeak } from "@recourse/faults/testing";
import { expect, onTestFinished, test } from "vitest";
import { createService, warehouse } from "./adapter.ts";
import { connected } from "./connected.ts";

const ADDRESS = "warehouse.internal:5432";

async function ask(url: string, name: string, args: Record<string, unknown>) {
  const { adapter, createServer } = createService(url);
  const { client, close } = await connected(createServer);
  onTestFinished(async () => {
    await close();
    await adapter.close();
  });
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content as readonly { readonly text?: string }[];
  return { result, text: block?.text?.replace(/ Incident \w+\./, "") };
}

test.each([
  ["get_order", { order: "7" }, "shipped"],
  ["place_order", { article: "lamp", quantity: 1 }, "Order 8 is placed."],
  [
    "get_order",
    { order: "9" },
    "There is no such order. Choose another one; the same call will fail again. [not_found warehouse/order_not_found]",
  ],
  [
    "place_order",
    { article: "lamp", quantity: 3 },
    "Only 2 are in stock. Correct /quantity and call again. [precondition_failed warehouse/insufficient_stock]",
  ],
  [
    "place_order",
    { article: "chair", quantity: 1 },
    "The backend of this tool has failed. It may have taken effect. Look at the current state before repeating it. [upstream_failed adapter/failed]",
  ],
])("%s %j", async (name, args, text) => {
  expect((await ask(ADDRESS, name, args)).text).toBe(text);
});

test("a backend that does not start is told with a wait, and nothing of it leaves", async () => {
  const { result, text } = await ask("down.internal:5432", "get_order", { order: "7" });
  expect(text).toBe(
    "The backend of this tool is not available at the moment. The same call may be repeated after 1 s. [unavailable adapter/unavailable]",
  );
  expectNoLeak(result, ["down.internal", "ECONNREFUSED"]);
});

test("the identifiers are reasons of the adapter", () => {
  expect(warehouse.reasons.STOCKTAKING.id).toBe("warehouse/stocktaking");
});
