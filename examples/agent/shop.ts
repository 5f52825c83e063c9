import { McpServer } from "@modelcontextprotocol/server";
import { defineReasons, fail } from "@recourse/faults";
import { formatId, guard, memoryIdempotency } from "@recourse/faults/server";
import * as z from "zod";
import type { Clock } from "./clock.ts";

const shop = defineReasons("shop", {
  too_many_calls: { kind: "rate_limited", text: "The order desk takes one call at a time." },
  no_courier: { kind: "unavailable", text: "No courier answers.", details: { effect: "none", afterMs: 1_000 } },
});

/** What really happened, whatever the agent believes. */
export interface Ledger {
  charges: number;
  parcels: number;
}

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
const inputSchema = z.object({ order: z.number().int() });

/** A shop with five tools, two of which are not well today; its server honours idempotency keys. */
export function openShop(clock: Clock): { readonly ledger: Ledger; createServer(): McpServer } {
  const ledger: Ledger = { charges: 0, parcels: 0 };
  const keys = memoryIdempotency({ testing: { clock: { monotonic: clock.now } } });
  let couriersAsked = 0;

  function createServer(): McpServer {
    const server = guard(new McpServer({ name: "shop", version: "1.0.0" }), {
      sink: () => {},
      // The agent is the only caller of this shop, so it need not sign in to have keys.
      idempotency: { store: keys, caller: () => "agent" },
      testing: { clock: { now: clock.now }, createId: () => formatId(clock.now(), new Uint8Array(16)) },
    });
    server.registerTool("get_order", { inputSchema }, async ({ order }) => {
      // It opens after 2.5 s, but tells every caller to wait for 5 s, as limiters do that count in whole windows.
      if (clock.now() < 2_500) throw shop.too_many_calls({}, { retry: { allowed: true, afterMs: 5_000 } });
      return said(`Order ${order} costs 42 euros.`);
    });
    server.registerTool("charge", { inputSchema }, async ({ order }) => {
      ledger.charges += 1;
      return said(`Order ${order} is paid.`);
    });
    server.registerTool("get_payment", { inputSchema }, async ({ order }) => {
      if (ledger.charges === 0) throw fail.not_found`Order ${order} is not paid.`;
      return said(`Order ${order} is paid.`);
    });
    server.registerTool("ship", { inputSchema }, async ({ order }) => {
      couriersAsked += 1;
      if (couriersAsked === 1) throw shop.no_courier();
      ledger.parcels += 1;
      return said(`Order ${order} is on its way.`);
    });
    server.registerTool("notify", { inputSchema }, async () => said("The customer knows."));
    return server;
  }
  return { ledger, createServer };
}
