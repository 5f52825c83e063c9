// Servers of the official SDK with a tool that writes two log messages, `info` and `error`.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { toNodeListener } from "@recourse/core/server";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { z } from "zod";

const INFO = { name: "logging", version: "1.0.0" };
const OPTIONS = { capabilities: { logging: {} } };
const LEVELS = ["info", "error"] as const;
const DONE = { content: [{ type: "text" as const, text: "done" }] };

/** Version 1 has a session for each client, and version 2 is of the newer era. */
export function startLogging(version: "1" | "2"): Promise<LoopbackServer> {
  return version === "1" ? startLoggingV1() : startLoggingV2();
}

function startLoggingV1(): Promise<LoopbackServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const build = () => {
    const server = new McpServerV1(INFO, OPTIONS);
    /** Set by `logging/setLevel`, which the SDK answers; it filters only what `sendLoggingMessage` sends. */
    server.registerTool("log", {}, async (extra) => {
      for (const level of LEVELS)
        if (!isIgnored(server, level, extra.sessionId))
          await extra.sendNotification({ method: "notifications/message", params: { level, data: "said" } });
      return DONE;
    });
    return server;
  };
  const server = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await build().connect(transport as never);
    return transport.handleRequest(request, response);
  });
  return listenOnLoopback(server);
}

/** Whether the SDK would leave a message out. It keeps the levels of its sessions to itself. */
function isIgnored(server: McpServerV1, level: string, session: string | undefined): boolean {
  const inner = server.server as unknown as { isMessageIgnored(level: string, session?: string): boolean };
  return inner.isMessageIgnored(level, session);
}

function startLoggingV2(): Promise<LoopbackServer> {
  const handler = createMcpHandler(() => {
    const server = new McpServerV2(INFO, OPTIONS);
    server.registerTool("log", { inputSchema: z.object({}) }, async (_args, context) => {
      const { mcpReq } = context as unknown as { mcpReq: { log(level: string, data: unknown): Promise<void> } };
      for (const level of LEVELS) await mcpReq.log(level, "said");
      return DONE;
    });
    return server;
  });
  return listenOnLoopback(createServer(toNodeListener(handler as never)));
}
