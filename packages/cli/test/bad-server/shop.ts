// A small shop that fails well: the official SDK, guarded in every place. Nothing is found on it.
import { completable, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { defineReasons, slot } from "@recourse/core";
import { declares, guard, type Sink } from "@recourse/core/server";
import * as z from "zod";

const shop = defineReasons("shop", {
  no_such_item: { kind: "not_found", text: "There is no item {item}.", slots: { item: slot.text(200) } },
  warehouse_away: {
    kind: "unavailable",
    text: "The warehouse does not answer.",
    details: { effect: "none", retry: { allowed: true, afterMs: 30_000 } },
  },
});

const READ_ONLY = { readOnlyHint: true, openWorldHint: false } as const;
const COLOURS = ["red", "green", "blue"] as const;

/** Incidents are right on this server, and of no interest here. */
export const ignoreIncidents: Sink = () => {};

/** Creates the shop. */
export function createShop(): McpServer {
  const server = guard(new McpServer({ name: "shop", version: "1.0.0" }), {
    name: "shop",
    sink: ignoreIncidents,
    looksFailed: { answer: "fail" },
    deadlineMs: 10_000,
  });
  registerTools(server);
  registerResources(server);
  server.registerPrompt(
    "describe_item",
    {
      description: "Describes an item to a customer.",
      argsSchema: z.object({ item: completable(z.string().describe("Name of the item"), () => ["lamp", "chair"]) }),
    },
    ({ item }) => ({ messages: [{ role: "user", content: { type: "text", text: `Describe the item ${item}.` } }] }),
  );
  return server;
}

function registerTools(server: McpServer): void {
  server.registerTool(
    "find_item",
    {
      description: "Finds one item by its name.",
      inputSchema: z.strictObject({ item: z.string().max(200).describe("Name of the item") }),
      outputSchema: z.object({ name: z.string(), price: z.number() }),
      annotations: READ_ONLY,
      _meta: declares(shop.no_such_item),
    },
    ({ item }) => {
      if (item !== "lamp") throw shop.no_such_item({ item });
      return { content: [{ type: "text", text: "lamp: 20" }], structuredContent: { name: "lamp", price: 20 } };
    },
  );
  server.registerTool(
    "check_stock",
    {
      description: "Asks the warehouse how many are left. The warehouse is away.",
      inputSchema: z.strictObject({ warehouse: z.string().max(200).describe("Name of the warehouse") }),
      annotations: READ_ONLY,
      _meta: declares(shop.warehouse_away),
    },
    () => {
      throw shop.warehouse_away({});
    },
  );
  server.registerTool(
    "search_items",
    {
      description: "Lists items of a colour.",
      inputSchema: z.strictObject({
        colour: z.enum(COLOURS).describe("Colour of the items"),
        limit: z.number().int().min(1).max(50).describe("The most items to list"),
      }),
      outputSchema: z.object({ items: z.array(z.string()) }),
      annotations: READ_ONLY,
    },
    ({ colour, limit }) => {
      const items = [`${colour} lamp`, `${colour} chair`].slice(0, limit);
      return { content: [{ type: "text", text: items.join(", ") }], structuredContent: { items } };
    },
  );
  server.registerTool(
    "remove_item",
    {
      description: "Removes an item from the shop.",
      inputSchema: z.strictObject({ item: z.string().max(200) }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    () => ({ content: [{ type: "text", text: "Removed." }] }),
  );
}

function registerResources(server: McpServer): void {
  server.registerResource("hours", "shop://hours", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, text: "9 to 17" }],
  }));
  const item = new ResourceTemplate("shop://items/{item}", { list: undefined });
  server.registerResource("item", item, { mimeType: "text/plain" }, (uri, { item }) => {
    if (item !== "lamp") throw shop.no_such_item({ item: String(item) });
    return { contents: [{ uri: uri.href, text: "lamp: 20" }] };
  });
}
