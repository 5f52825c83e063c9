// The MCP server: three tools, and one line that guards them.
import { acceptedContent, type CallToolResult, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { declares, guard, type IdempotencyStore, memoryIdempotency, type Sink } from "@recourse/faults/server";
import * as z from "zod";
import { orders } from "./reasons.ts";
import type { Order, ShopApi } from "./shop-api.ts";

/** Refunds of this much or more have to be approved by a person. */
const APPROVAL_FROM_CENTS = 10_000;

/** What a server needs. */
export interface ServerOptions {
  readonly api: ShopApi;
  /** Receives incidents, which are for the operator alone. @default standard error, with hints while you develop */
  readonly sink?: Sink;
}

/**
 * Outcomes of calls with an idempotency key, so that a repeated call does not happen twice. It belongs to the process, not to
 * one connection. For several processes, put a shared store here instead, such as
 * `postgresIdempotency` of `@recourse/stores/postgres`: nothing else changes.
 */
const idempotency: IdempotencyStore = memoryIdempotency({
  keepMs: 24 * 60 * 60_000,
  maxKeysPerCaller: Number.POSITIVE_INFINITY,
});

/** Creates a server. Over HTTP this happens for every connection. */
export function createServer({ api, sink }: ServerOptions): McpServer {
  // From here on, nothing that a tool throws reaches the caller unless you wrote it for the caller.
  const server = guard(new McpServer({ name: "shop", version: "0.1.0" }), {
    name: "shop",
    sink,
    idempotency: { store: idempotency },
    deadlineMs: 15_000,
  });

  server.registerTool(
    "get_order",
    {
      description: "Shows an order with its price and its status.",
      inputSchema: z.object({ order: z.number().int().min(1) }),
      annotations: { readOnlyHint: true },
      _meta: declares(orders.not_found),
    },
    async ({ order }, { mcpReq }) => {
      const found = await findOrder(order, mcpReq.signal);
      return say(`Order ${order}: a ${found.item} for ${euros(found.cents)}, ${found.status}.`);
    },
  );

  server.registerTool(
    "track_parcel",
    {
      description: "Tells where the parcel of an order is.",
      inputSchema: z.object({ order: z.number().int().min(1) }),
      // A tool that only reads has no effect, however it fails. So clients may call it again after an outage.
      annotations: { readOnlyHint: true },
      _meta: declares(orders.not_found),
    },
    async ({ order }, { mcpReq }) => {
      const parcel = await api.get<{ place: string }>(`/parcels/${order}`, mcpReq.signal);
      if (parcel === undefined) throw orders.not_found({ order });
      return say(`The parcel of order ${order} is in ${parcel.place}.`);
    },
  );

  server.registerTool(
    "refund_order",
    {
      description: "Pays the price of an order back.",
      inputSchema: z.object({ order: z.number().int().min(1) }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      _meta: declares(orders.not_found, orders.already_refunded, orders.refund_declined),
    },
    async ({ order }, { mcpReq }) => {
      const { cents, status } = await findOrder(order, mcpReq.signal);
      if (status === "refunded") throw orders.already_refunded({ order });
      if (cents >= APPROVAL_FROM_CENTS) {
        const answers = mcpReq.inputResponses;
        if (answers === undefined) return askForApproval(`Refund ${euros(cents)} for order ${order}?`);
        if (acceptedContent<{ approve: boolean }>(answers, "approval")?.approve !== true) {
          throw orders.refund_declined({ order });
        }
      }
      await api.post("/refunds", { order }, mcpReq.signal);
      return say(`${euros(cents)} for order ${order} are refunded.`);
    },
  );

  return server;

  async function findOrder(order: number, signal: AbortSignal): Promise<Order> {
    const found = await api.get<Order>(`/orders/${order}`, signal);
    if (found === undefined) throw orders.not_found({ order });
    return found;
  }
}

function askForApproval(message: string) {
  const requestedSchema = {
    type: "object" as const,
    properties: { approve: { type: "boolean" as const, title: "Approve" } },
    required: ["approve"],
  };
  return inputRequired({ inputRequests: { approval: inputRequired.elicit({ message, requestedSchema }) } });
}

function say(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function euros(cents: number): string {
  return `${(cents / 100).toFixed(2)} euros`;
}
