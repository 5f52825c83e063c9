// A guarded server over stdio. Its log is standard error, as the default sink of `guard` writes it.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { fail } from "@recourse/core";
import { guard } from "@recourse/core/server";
import * as z from "zod/v4";

const server = new McpServer({ name: "orders", version: "1.0.0" });
guard(server);

server.registerTool(
  "find_order",
  { description: "Finds an order.", inputSchema: { id: z.string() }, annotations: { readOnlyHint: true } },
  ({ id }) => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), {
      code: "ECONNREFUSED",
      address: "10.0.0.5",
      port: 5432,
    });
    throw new Error(`the query for order ${id} failed`, { cause: refused });
  },
);
server.registerTool("place_order", { description: "Places an order.", inputSchema: { id: z.string() } }, ({ id }) => {
  throw fail.unavailable`The warehouse does not answer, so order ${id} was not placed.`;
});
server.registerTool(
  "cancel_order",
  { description: "Cancels an order.", inputSchema: { id: z.string() } },
  ({ id }) => ({
    content: [{ type: "text", text: `Order ${id} is shipped already.` }],
    isError: true,
  }),
);

await server.connect(new StdioServerTransport());
