// A shop on the bare SDK 1: over HTTP with sessions with `--http`, else over stdio.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import * as z from "zod/v4";

function shop(): McpServer {
  const server = new McpServer({ name: "shop-v1", version: "1.0.0" });
  server.registerTool(
    "get_item",
    {
      description: "Finds an item.",
      inputSchema: { id: z.string(), count: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ id }) => {
      throw new Error(`No item ${id}`);
    },
  );
  return server;
}

if (process.argv.includes("--http")) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer((request, response) => {
    if (request.method === "GET") {
      response.end(`sessions: ${sessions.size}`);
      return;
    }
    void (async () => {
      const known = sessions.get(String(request.headers["mcp-session-id"]));
      if (known === undefined && request.headers["mcp-session-id"] !== undefined) {
        response.writeHead(404, { "content-type": "application/json" });
        response.end(
          JSON.stringify({ jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null }),
        );
        return;
      }
      const transport =
        known ??
        new StreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          onsessionclosed: (id) => void sessions.delete(id),
          onsessioninitialized: (id) => void sessions.set(id, transport),
        });
      if (known === undefined) await shop().connect(transport as Transport);
      await transport.handleRequest(request, response);
    })();
  });
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`));
} else await shop().connect(new StdioServerTransport());
