import type { FaultError } from "@recourse/faults";
import { checkArguments } from "@recourse/faults/server";
import * as z from "zod";
import type { OrderBackend, OrderCall } from "../orders/backend.ts";
import { newOrder, orderFilter, orderId } from "../orders/order.ts";
import { refusalOf } from "../orders/refusal.ts";
import { reply } from "./failure.ts";

/** What a request asks for. */
interface Asked {
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly call: OrderCall;
}

/** An address of the service. */
export interface Route {
  readonly method: "GET" | "POST";
  /** Its group `id` is the number of an order. */
  readonly path: RegExp;
  run(backend: OrderBackend, asked: Asked): Promise<Response>;
}

const oneOrder = z.object({ order_id: orderId });

/** The addresses of the service; they are those of `rest/openapi.yaml`. */
export const ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: /^\/v1\/health$/,
    run: async (backend, { call }) => {
      await backend.ping(call.signal);
      return new Response(null, { status: 204 });
    },
  },
  {
    method: "GET",
    path: /^\/v1\/orders$/,
    run: async (backend, { query, call }) => {
      const { limit, ...rest } = Object.fromEntries(query);
      const filter = checked(orderFilter, { ...rest, ...(limit !== undefined && { limit: Number(limit) }) });
      return Response.json(await backend.list(filter, call));
    },
  },
  {
    method: "POST",
    path: /^\/v1\/orders$/,
    run: async (backend, { body, call }) =>
      Response.json(await backend.place(checked(newOrder, body), call), { status: 201 }),
  },
  {
    method: "GET",
    path: /^\/v1\/orders\/(?<id>[^/]+)$/,
    run: async (backend, { id, call }) => Response.json(await backend.get(numbered(id), call)),
  },
  {
    method: "POST",
    path: /^\/v1\/orders\/(?<id>[^/]+)\/cancel$/,
    run: async (backend, { id, call }) => Response.json(await backend.cancel(numbered(id), call)),
  },
  {
    method: "GET",
    path: /^\/v1\/orders\/(?<id>[^/]+)\/shipment$/,
    // No carrier is connected yet.
    run: async () => reply(501, { code: "NO_CARRIER" }),
  },
];

function numbered(id: string | undefined): string {
  return checked(oneOrder, { order_id: id }).order_id;
}

/** The input as its schema gives it; throws a refusal of its fields. */
function checked<T>(schema: z.ZodType<T>, sent: unknown): T {
  const outcome = schema.safeParse(sent);
  if (outcome.success) return outcome.data;
  throw fieldsOf(schema, sent);
}

function fieldsOf(schema: z.ZodType, sent: unknown): FaultError {
  return refusalOf(checkArguments(sent, z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>));
}
