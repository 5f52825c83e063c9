// The shop on SDK 1. `node v1.ts stdio|http bare|guard|guarded`: as it is, with `guard` alone, and with all guards.
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  edgeErrorHandler,
  guard,
  guardHandler,
  guardStdin,
  guardStdout,
  toNodeListener,
} from "@recourse/faults/server";
import express, { type Express } from "express";
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

/** As the examples of the SDK do it. */
function addBare(app: Express): void {
  app.use(express.json());
  app.post("/mcp", async (req, res) => {
    const server = createServer();
    const one = new StreamableHTTPServerTransport({});
    res.on("close", () => void server.close());
    await server.connect(one as never);
    await one.handleRequest(req, res, req.body);
  });
}

function addGuarded(app: Express): void {
  const handler = guardHandler(async (request: Request): Promise<Response> => {
    const server = createServer();
    const one = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(one);
    try {
      return await one.handleRequest(request);
    } finally {
      await server.close();
    }
  });
  // Before the parser, so that the guard sees the bytes that were sent.
  app.all("/mcp", toNodeListener(handler));
  app.use(express.json());
  app.use(edgeErrorHandler());
}

if (transport === "http") {
  const app = express();
  (isGuarded ? addGuarded : addBare)(app);
  const server = app.listen(0, "127.0.0.1", () => {
    console.error(`MCP at http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });
} else {
  if (isGuarded) {
    guardStdout();
    guardStdin();
  }
  await createServer().connect(new StdioServerTransport());
}
