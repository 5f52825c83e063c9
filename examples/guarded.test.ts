import { afterAll, expect, test } from "vitest";
import { connected } from "./connected.ts";
import { createServer } from "./guarded.ts";

const { client, close } = await connected(createServer);
afterAll(close);

const said = async (args: Record<string, unknown>) => {
  const { content } = await client.callTool({ name: "cancel_order", arguments: args });
  const [block] = content as readonly { readonly text?: string }[];
  return block?.text?.replace(/ Incident \w+\./, "");
};

test.each([
  [{ order: 9, reason: "stock" }, "Order 9 is cancelled."],
  [
    { order: 1, reason: "stock" },
    "There is no order 1. Choose another one; the same call will fail again. [not_found orders/not_found]",
  ],
  [
    { order: 2, reason: "stock" },
    'Order 2 is on its way already. Call "recall_order" first, then call again. [precondition_failed orders/shipped]',
  ],
  [
    { order: 3, reason: "stock" },
    "Order 3 was changed a moment ago. Look at the current state and decide anew. [conflict adhoc/conflict]",
  ],
  [
    { order: 4, reason: "stock" },
    "The call failed because of an internal error. Do not repeat this call; it may have taken effect. [internal core/internal]",
  ],
])("%j", async (args, text) => {
  expect(await said(args)).toBe(text);
});

test("wrong arguments are told one by one", async () => {
  expect(await said({ order: 0, reason: "stok" })).toMatch(
    /^The arguments of the tool "cancel_order" are not valid\. Correct \/order, \/reason and call again\. .*\n- \/order .*\n- \/reason .*did you mean "stock"\?$/,
  );
});
