// A server as onX's document describes it, without Recourse.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Shop } from "./shop.ts";

interface ErrorResponse {
  code: number;
  message: string;
  retryable: boolean;
  details?: { field?: string; reason?: string; suggestion?: string; context?: unknown; originalError?: string };
}

class AdapterError extends Error {
  readonly identifier: string;
  constructor(identifier: string, message: string) {
    super(message);
    this.identifier = identifier;
  }
}

class ValidationError extends Error {
  readonly response: ErrorResponse;
  constructor(issue: z.core.$ZodIssue) {
    super(issue.message);
    const missing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    const code = missing ? 2002 : issue.code === "invalid_format" ? 2003 : 2001;
    this.response = { code, message: issue.message, retryable: false, details: { field: issue.path.join(".") } };
  }
}

function toErrorResponse(thrown: unknown): ErrorResponse {
  if (thrown instanceof ValidationError) return thrown.response;
  if (thrown instanceof AdapterError) {
    return { code: 4001, message: thrown.message, retryable: false, details: { originalError: thrown.identifier } };
  }
  const { name, code } = thrown as { name?: string; code?: string };
  if (name === "TimeoutError") return { code: 3002, message: "Operation timed out", retryable: true };
  if (code === "ECONNREFUSED") return { code: 4002, message: "Backend unavailable", retryable: true };
  console.error(thrown);
  return { code: 4001, message: "Adapter error", retryable: false };
}

/** Checks the arguments and turns whatever is thrown into the error object. */
function handle<T>(schema: z.ZodType<T>, run: (args: T) => Promise<unknown>) {
  return async (args: unknown) => {
    try {
      const parsed = schema.safeParse(args);
      if (!parsed.success) throw new ValidationError(parsed.error.issues[0] as z.core.$ZodIssue);
      return { content: [{ type: "text" as const, text: JSON.stringify(await run(parsed.data)) }] };
    } catch (thrown) {
      const error = toErrorResponse(thrown);
      return { content: [{ type: "text" as const, text: error.message }], isError: true, error };
    }
  };
}

const orderArguments = z.object({ order_id: z.string().regex(/^ORD-\d+$/) });
const placeArguments = z.object({ order: z.object({ sku: z.string() }) });

export const before = (shop: Shop) =>
  createMcpHandler(() => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    // The SDK must not check the arguments itself: its answer is not the error object.
    const anything = z.looseObject({});
    server.registerTool(
      "get_order",
      { description: "Looks up an order.", inputSchema: anything },
      handle(orderArguments, async ({ order_id }) => {
        const order = await shop.find(order_id);
        if (order === undefined) throw new AdapterError("ORDER_NOT_FOUND", "Order not found");
        return order;
      }),
    );
    server.registerTool(
      "place_order",
      { description: "Places an order.", inputSchema: anything },
      handle(placeArguments, async ({ order: { sku } }) => {
        const id = await shop.place(sku).catch((error: Error) => {
          if (error.name === "TimeoutError") throw error;
          throw new AdapterError("PLACEMENT_FAILED", error.message);
        });
        if (id === undefined) throw new AdapterError("OUT_OF_STOCK", `${sku} is out of stock`);
        return { id };
      }),
    );
    return server;
  });
