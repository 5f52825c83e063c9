// Next.js, SDK 2.x: a route handler is a web-standard handler already.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { fail } from "@recourse/faults";
import { guard, guardHandler } from "@recourse/faults/server";
import * as z from "zod";

const tokens = new Map([["Bearer secret-of-ada", { token: "secret-of-ada", clientId: "ada", scopes: [] }]]);

function createServer() {
  const server = guard(new McpServer({ name: "orders", version: "1.0.0" }));
  server.registerTool("whoami", { description: "Names the caller." }, (context) => ({
    content: [{ type: "text", text: context.http?.authInfo?.clientId ?? "nobody" }],
  }));
  server.registerTool(
    "cancel_order",
    { description: "Cancels an order.", inputSchema: z.object({ order: z.number().int() }) },
    ({ order }) => {
      throw fail.not_found`There is no order ${order}.`;
    },
  );
  return server;
}

const handler = guardHandler(createMcpHandler(createServer), {
  name: "orders",
  // Next does not tell at which address a connection came in, so name the hosts that reach it.
  allowedHosts: ["localhost", "127.0.0.1"],
  auth: {
    authenticate: (request) => {
      const auth = tokens.get(request.headers.get("authorization") ?? "");
      return auth ? { ok: true, auth } : { ok: false };
    },
  },
});

const handle = (request: Request) => handler.fetch(request);

export { handle as DELETE, handle as GET, handle as POST, handle as PUT };
