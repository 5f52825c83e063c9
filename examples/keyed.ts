import type { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import type { RecourseClient } from "@recourse/faults/client";
import { guard, memoryKeys } from "@recourse/faults/server";
import * as z from "zod";

const keys = memoryKeys({ ttlMs: 24 * 60 * 60_000 });
const paid: number[] = [];

/** A server that runs a call once, however often it is sent with the same key. */
export function createServer(): McpServer {
  const server = guard(new McpServer({ name: "till", version: "1.0.0" }), { sink: () => {}, keys });
  server.registerTool("pay", { inputSchema: z.object({ cents: z.number().int() }) }, async ({ cents }) => {
    paid.push(cents);
    return { content: [{ type: "text", text: `Payment ${paid.length} is made.` }] };
  });
  return server;
}

/** One intention, one key: every attempt to pay this order carries the same. */
export function pay(mcp: RecourseClient<Client>, order: { readonly id: string; readonly cents: number }) {
  return mcp.call("pay", { cents: order.cents }, { key: `pay-${order.id}` });
}
