import { createMcpHandler } from "@modelcontextprotocol/server";
import { guardHandler } from "@recourse/faults/server";
import type { Fetch } from "@recourse/reference-ground";
import { checkHeader, inOwnCodes } from "./edge.ts";
import { createServer, type ServerParts } from "./server.ts";

/** What the HTTP server needs of MCP. */
export interface McpHandler {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** The address that clients are given. */
const MCP_PATH = "/mcp";

/** MCP over HTTP, for clients of both eras: the official handler behind the guard's edge. */
export function createHandler(parts: ServerParts): McpHandler {
  const { sink, now } = parts;
  const guarded = guardHandler(
    createMcpHandler(() => createServer(parts)),
    { name: "crm", sink, now, maxBodyBytes: 65_536, parsedBody: true, authenticate: checkHeader },
  );
  const fetch = inOwnCodes((request) => guarded.fetch(request));
  return {
    fetch: async (request) =>
      new URL(request.url).pathname === MCP_PATH ? fetch(request) : new Response(null, { status: 404 }),
    close: () => guarded.close(),
  };
}
