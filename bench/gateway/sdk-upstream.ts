// A server of the official SDK as the upstream, in a process of its own.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { RESULTS, TOOL } from "./messages.ts";
import { reportPort } from "./report.ts";

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "sdk", version: "1.0.0" });
  const inputSchema = z.object({ city: z.string(), text: z.string(), count: z.number() });
  server.registerTool(TOOL.name, { description: TOOL.description, inputSchema }, () => ({
    content: [...RESULTS.ok.content],
  }));
  return server;
});
const answer = toNodeHandler(handler) as (request: IncomingMessage, response: ServerResponse) => Promise<void>;
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => reportPort(server));
