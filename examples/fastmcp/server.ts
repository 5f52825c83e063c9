// A FastMCP server. `guardTool` is the only thing that Recourse adds: what a tool throws becomes an answer that says what to
// do next. Start it with `bare` to see the same server without it.
import { fail } from "@recourse/faults";
import { guardTool, stderrSink } from "@recourse/faults/server";
import { FastMCP, UserError } from "fastmcp";
import * as z from "zod";

const isGuarded = process.argv[2] !== "bare";
const server = new FastMCP({ name: "orders", version: "1.0.0" });
const orders = new Map([
  [7, "open"],
  [8, "shipped"],
]);

async function cancelOrder({ order }: { order: number }): Promise<string> {
  if (order === 6) throw new UserError("Order 6 belongs to another customer.");
  if (!orders.has(order)) throw fail.not_found`There is no order ${order}.`;
  if (orders.get(order) === "shipped") throw new Error("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5");
  orders.set(order, "cancelled");
  return `Order ${order} is cancelled.`;
}

server.addTool({
  name: "cancel_order",
  description: "Cancels an order.",
  parameters: z.object({ order: z.number().int(), why: z.enum(["customer", "stock"]).optional() }),
  execute: isGuarded ? guardTool("cancel_order", cancelOrder, { sink: stderrSink() }) : cancelOrder,
});

await server.start({ transportType: "stdio" });
