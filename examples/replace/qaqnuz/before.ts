// A server as the document of qaqnuz describes it, with an error layer written by hand, and the client of the document.
import type { Client } from "@modelcontextprotocol/client";
import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { openShop, type Shop } from "./orders.ts";

type ErrorClass = "validation" | "permission" | "retryable" | "dependency" | "terminal";

/** A failure that the caller may read. */
class ToolFailure extends Error {
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, sanitized: string) {
    super(sanitized);
    this.errorClass = errorClass;
  }
}

const UNREACHABLE = new ToolFailure("permission", "This tool is not available to you.");
const SECRETS = [/postgres:\/\/\S+/g, /Bearer \S+/g, /sk_live_\w+/g, /[\w.]+@[\w.]+/g, /\n\s+at .*/g];

/** What may be said about whatever was thrown. */
function classify(error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error;
  if (error instanceof z.ZodError) {
    const issues = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return new ToolFailure("validation", `Invalid arguments: ${issues.join("; ")}`);
  }
  const { message, cause } = error as Error & { cause?: { code?: string } };
  if (cause?.code === "ECONNREFUSED" || cause?.code === "ETIMEDOUT") {
    return new ToolFailure("dependency", "The provider is not available.");
  }
  console.error(error);
  return new ToolFailure(
    "terminal",
    SECRETS.reduce((text, secret) => text.replace(secret, "[hidden]"), message),
  );
}

const cancelInput = z.object({ order_id: z.string(), quantity: z.number().int().min(1).optional() });

/** The tools that a key can reach. */
function toolsOf(shop: Shop): Record<string, { inputSchema: z.ZodType; run(args: unknown): unknown }> {
  const nothing = z.object({});
  return {
    cancel_order: {
      inputSchema: cancelInput,
      run(args) {
        const { order_id } = cancelInput.parse(args);
        const state = shop.orders.get(order_id);
        if (state === undefined) throw new ToolFailure("terminal", `There is no order ${order_id}.`);
        if (state === "shipped") throw new ToolFailure("terminal", `Order ${order_id} was shipped.`);
        return `Order ${order_id} is cancelled.`;
      },
    },
    export_orders: {
      inputSchema: nothing,
      run() {
        if (shop.exportWaitMs() > 0) throw new ToolFailure("retryable", "The rate limit of exports is reached.");
        return [...shop.orders.keys()].join(", ");
      },
    },
    refund: {
      inputSchema: nothing,
      run: () => {
        throw new ToolFailure("permission", "Refunds need an approval.");
      },
    },
    stock: { inputSchema: nothing, run: () => shop.askWarehouse() },
    report: { inputSchema: nothing, run: () => shop.report() },
  };
}

/** Creates the server. */
export function createServer(shop: Shop = openShop()): Server {
  const server = new Server({ name: "orders", version: "1.0.0" }, { capabilities: { tools: {} } });
  const tools = toolsOf(shop);
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(tools).map(([name, { inputSchema }]) => ({
      name,
      inputSchema: z.toJSONSchema(inputSchema) as { type: "object" },
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }): Promise<CallToolResult> => {
    try {
      const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined;
      if (tool === undefined) throw UNREACHABLE;
      return { content: [{ type: "text", text: String(await tool.run(params.arguments ?? {})) }] };
    } catch (error) {
      const failure = classify(error);
      console.error(params.name, failure.errorClass);
      return { content: [{ type: "text", text: failure.message }], isError: true };
    }
  });
  return server;
}

/** Calls a tool up to three times, as the document shows it. */
export async function callWithRetry(client: Client, name: string, args: Record<string, unknown>, maxAttempts = 3) {
  let sentence = "";
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError !== true) return result;
    const [first] = result.content;
    sentence = first?.type === "text" ? first.text : "";
    if (!/rate limit/i.test(sentence) || attempt === maxAttempts) break;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * attempt));
  }
  throw new Error(`call_tool ${name} failed: ${sentence}`);
}
