// The shop on SDK 2. `node v2.ts stdio|http bare|guard|guarded`: as it is, with `guard` alone, and with all guards.
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { guard, guardHandler, guardStdin, guardStdout, toNodeListener } from "@recourse/faults/server";
import { addShop, type Registrar } from "./shop.ts";

const [, , transport, mode] = process.argv;
const isGuarded = mode === "guarded";
const hasGuard = isGuarded || mode === "guard";

function createServer(): McpServer {
  const bare = new McpServer({ name: "shop", version: "1.0.0" });
  const server = hasGuard ? guard(bare) : bare;
  addShop(server as unknown as Registrar);
  return server;
}

if (transport === "http") {
  const handler = createMcpHandler(createServer);
  // The types of the adapter ask for a method, which Node may leave out.
  const listener = isGuarded ? toNodeListener(guardHandler(handler)) : (toNodeHandler(handler) as RequestListener);
  const server = createHttpServer(listener);
  server.listen(0, "127.0.0.1", () => {
    console.error(`MCP at http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });
} else {
  if (isGuarded) {
    guardStdout();
    guardStdin();
  }
  serveStdio(createServer);
}
