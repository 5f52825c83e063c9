// The tools of the shop. Servers of both SDK versions offer the same ones.
import { fail } from "@recourse/faults";
import * as z from "zod";

/** What a driver's error contains, and no caller may see. */
export const SECRET = "hunter2";

interface Answer {
  readonly content: { readonly type: "text"; readonly text: string }[];
}

/** The part of an `McpServer` of either version that is used here. */
interface ToolServer {
  registerTool(name: string, config: object, run: (args: never, context: never) => Promise<Answer>): unknown;
}

const orders = new Map([
  [7, "open"],
  [8, "shipped"],
]);
let payments = 0;

const say = (text: string): Answer => ({ content: [{ type: "text", text }] });

/** Registers the tools on a server. */
export function addTools(server: object): void {
  const { registerTool } = server as ToolServer;
  const add: ToolServer["registerTool"] = (name, config, run) => registerTool.call(server, name, config, run);

  add(
    "cancel_order",
    { description: "Cancels an order.", inputSchema: z.object({ order: z.number().int() }) },
    async ({ order }: { order: number }) => {
      if (!orders.has(order)) throw fail.not_found`There is no order ${order}.`;
      if (orders.get(order) === "shipped") throw new Error(`connect ECONNREFUSED postgres://app:${SECRET}@10.0.0.5`);
      return say(`Order ${order} is cancelled.`);
    },
  );

  add(
    "pay",
    { description: "Pays.", inputSchema: z.object({ cents: z.number().int() }) },
    async ({ cents }: { cents: number }) => {
      payments += 1;
      return say(`Payment ${payments} of ${cents} cents is made.`);
    },
  );

  add("wait", { description: "Answers too late." }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return say("done");
  });

  add("print", { description: "Prints to standard output, as libraries do." }, async () => {
    console.log("a stray line");
    return say("printed");
  });

  add(
    "ask_supplier",
    { description: "Asks a service that is down.", inputSchema: z.object({ url: z.string() }) },
    async ({ url }: { url: string }) => {
      const reply = await fetch(url);
      return say(await reply.text());
    },
  );
}
