// A small shop as a first-time author writes it: every tool works, and failures are not handled.
import * as z from "zod";

const ITEMS = [
  { id: "A-1", name: "Green tea", price: 4.5 },
  { id: "A-2", name: "Black tea", price: 3.9 },
];
const stock = new Map(ITEMS.map(({ id }) => [id, 10]));

type Result = { content: { type: "text"; text: string }[] };
type Handler = (args: never) => Result | Promise<Result>;

/** The part of `McpServer` that is the same in SDK 1 and SDK 2. */
export interface Registrar {
  registerTool(name: string, config: object, handler: Handler): unknown;
  registerResource(name: string, uri: string, config: object, read: (uri: URL) => object): unknown;
  registerPrompt(name: string, config: object, render: (args: never) => object): unknown;
}

const text = (value: unknown): Result => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

function itemOf(id: string) {
  const item = ITEMS.find((one) => one.id === id);
  if (item === undefined) throw new Error(`No item ${id}`);
  return item;
}

/** Adds the tools, a resource and a prompt. */
export function addShop(server: Registrar): void {
  server.registerTool(
    "search_items",
    {
      description: "Finds items by a part of their name.",
      inputSchema: z.object({ query: z.string().max(100), limit: z.number().int().min(1).max(50).optional() }),
      annotations: { readOnlyHint: true },
    },
    ({ query, limit = 10 }: { query: string; limit?: number }) =>
      text(ITEMS.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase())).slice(0, limit)),
  );
  server.registerTool(
    "get_item",
    {
      description: "Returns one item.",
      inputSchema: z.object({ id: z.string(), currency: z.enum(["EUR", "USD"]).optional() }),
      annotations: { readOnlyHint: true },
    },
    ({ id }: { id: string }) => text(itemOf(id)),
  );
  server.registerTool(
    "get_delivery_date",
    {
      description: "Asks the warehouse when an item can be delivered.",
      inputSchema: z.object({ id: z.string() }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    // The warehouse is down: port 9 of this machine, where nothing listens.
    async ({ id }: { id: string }) => {
      const answer = await fetch(`http://127.0.0.1:9/delivery/${encodeURIComponent(id)}`);
      return text(await answer.json());
    },
  );
  server.registerTool(
    "buy_item",
    {
      description: "Buys one item.",
      inputSchema: z.object({ id: z.string(), count: z.number().int().positive() }),
      annotations: { readOnlyHint: false, destructiveHint: true },
    },
    ({ id, count }: { id: string; count: number }) => {
      stock.set(itemOf(id).id, (stock.get(id) ?? 0) - count);
      return text({ bought: id, count });
    },
  );
  server.registerResource("terms", "shop://terms", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, text: "Delivery within two days." }],
  }));
  server.registerPrompt(
    "recommend",
    { description: "Recommends an item.", argsSchema: z.object({ taste: z.string() }) },
    ({ taste }: { taste: string }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Recommend a tea: ${taste}` } }],
    }),
  );
}
