// A shop on the bare SDK 2: over HTTP with `--http`, else over stdio. Run as a program, or use `shop` in a test.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toNodeListener } from "@recourse/core/server";
import * as z from "zod/v4";

/** The shop. Tools that read say so; one changes something. */
export function shop(): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const readOnlyHint = { readOnlyHint: true };
  server.registerTool(
    "get_item",
    {
      description: "Finds an item.",
      inputSchema: z.object({
        id: z.string(),
        count: z.number().int().min(1).max(10),
        kind: z.enum(["book", "toy"]).optional(),
      }),
      annotations: readOnlyHint,
    },
    ({ id }) => {
      throw new Error(`No item ${id}: connect ECONNREFUSED 10.0.0.5:5432`);
    },
  );
  server.registerTool(
    "list_items",
    {
      description: "Lists items.",
      inputSchema: z.object({ limit: z.number().optional() }).strict(),
      annotations: readOnlyHint,
    },
    () => ({ content: [{ type: "text", text: "No items." }] }),
  );
  server.registerTool(
    "delete_item",
    { description: "Deletes an item.", inputSchema: z.object({ id: z.string() }) },
    () => ({ content: [{ type: "text", text: "Deleted." }] }),
  );
  server.registerResource("item", new ResourceTemplate("shop://items/{id}", { list: undefined }), {}, (uri) => {
    throw new Error(`No resource ${uri.href}`);
  });
  server.registerPrompt("describe", { argsSchema: z.object({ item: z.string() }) }, ({ item }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Describe ${item}` } }],
  }));
  return server;
}

if (import.meta.main) {
  if (process.argv.includes("--http")) {
    const http = createServer(toNodeListener(createMcpHandler(shop)));
    http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`));
  } else serveStdio(shop);
}
