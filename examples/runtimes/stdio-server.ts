// The shop over stdio. Usage: <runtime> stdio-server.ts v1|v2

import process from "node:process";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { guard, guardStdin, guardStdout, memoryIdempotency } from "@recourse/faults/server";
import { addTools } from "./tools.ts";

const INFO = { name: "shop", version: "1.0.0" };
const options = {
  idempotency: { store: memoryIdempotency({ maxKeysPerCaller: Number.POSITIVE_INFINITY }) },
  sink: () => {},
};

/** Adds a tool that ends the process. */
function withExit(server: object): void {
  addTools(server);
  const { registerTool } = server as McpServer;
  registerTool.call(server as McpServer, "crash", { description: "Ends the server." }, async () => process.exit(3));
}

guardStdout();
guardStdin({ sink: () => {} });
if (process.argv[2] === "v1") {
  const server = guard(new McpServerV1(INFO), options);
  withExit(server);
  await server.connect(new StdioServerTransport());
} else {
  serveStdio(() => {
    const server = guard(new McpServer(INFO), options);
    withExit(server);
    return server;
  });
}
