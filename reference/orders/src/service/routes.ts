import type { FaultError } from "@recourse/faults";
import { checkArguments } from "@recourse/faults/server";
import * as z from "zod";
import type { OrderBackend, OrderCall } from "../orders/backend.ts";
import { invalidArguments } from "../orders/failures.ts";
import { newOrder, orderFilter, orderId } from "../orders/order.ts";
import { jsonResponse } from "./failure.ts";

/** The parsed request. */
interface RouteInput {
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly call: OrderCall;
}

/** A route of the service. */
export interface Route {
  readonly method: "GET" | "POST";
  /** The group `id` is the id of an order. */
  readonly path: RegExp;
  run(backend: OrderBackend, input: RouteInput): Promise<Response>;
}

const orderArgument = z.object({ order_id: orderId });

/** The routes of the service, as in `rest/openapi.yaml`. */
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
      const filter = await parseInput(orderFilter, { ...rest, ...(limit !== undefined && { limit: Number(limit) }) });
      return Response.json(await backend.list(filter, call));
    },
  },
  {
    method: "POST",
    path: /^\/v1\/orders$/,
    run: async (backend, { body, call }) =>
      Response.json(await backend.place(await parseInput(newOrder, body), call), { status: 201 }),
  },
  {
    method: "GET",
    path: /^\/v1\/orders\/(?<id>[^/]+)$/,
    run: async (backend, { id, call }) => Response.json(await backend.get(await parseOrderId(id), call)),
  },
  {
    method: "POST",
    path: /^\/v1\/orders\/(?<id>[^/]+)\/cancel$/,
    run: async (backend, { id, call }) => Response.json(await backend.cancel(await parseOrderId(id), call)),
  },
  {
    method: "GET",
    path: /^\/v1\/orders\/(?<id>[^/]+)\/shipment$/,
    // No carrier is connected yet.
    run: async () => jsonResponse(501, { code: "NO_CARRIER" }),
  },
];

async function parseOrderId(id: string | undefined): Promise<string> {
  return (await parseInput(orderArgument, { order_id: id })).order_id;
}

/** Parses an input. Throws a fault with the issues. */
async function parseInput<T>(schema: z.ZodType<T>, sent: unknown): Promise<T> {
  const outcome = schema.safeParse(sent);
  if (outcome.success) return outcome.data;
  throw await inputError(schema, sent);
}

async function inputError(schema: z.ZodType, sent: unknown): Promise<FaultError> {
  const listed = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  return invalidArguments(await checkArguments(sent, listed));
}
