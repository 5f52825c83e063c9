// A guarded server that counts its orders.
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import type { AnyServer, SdkVersion } from "@recourse/test-kit/sdk-pairs";
import { type GuardOptions, guard, memoryIdempotency } from "../../../src/server/index.ts";

/** A server that is not connected yet. */
export interface Shop extends AnyServer {
  connect(transport: unknown): Promise<void>;
}

/** Creates a shop; `takeOrder` returns the number of an order. */
export function createShop(version: SdkVersion, options: GuardOptions = {}, takeOrder: () => number = counter()): Shop {
  const info = { name: "shop", version: "1.0.0" };
  const server = (version === "v1" ? new McpServerV1(info) : new McpServerV2(info)) as unknown as Shop;
  server.registerTool("order", {}, () => ({ content: [{ type: "text", text: `order ${takeOrder()}` }] }));
  return guard(server, {
    sink: () => {},
    ...options,
    idempotency: { store: memoryIdempotency(), ...options.idempotency },
  });
}

/** Counts from 1. */
export function counter(): () => number {
  let count = 0;
  return () => ++count;
}
