import { createMcpHandler } from "@modelcontextprotocol/server";
import { guardHandler } from "@recourse/faults/server";
import type { Fetch } from "@recourse/reference-shared";
import { checkHeader, withPlaticaCodes } from "./edge.ts";
import { createServer, type ServerOptions } from "./server.ts";

/** The MCP endpoint. */
export interface McpHandler {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** The path of the MCP endpoint. */
const MCP_PATH = "/mcp";

/** Creates the MCP endpoint, for clients of all protocol revisions: the official handler, guarded. */
export function createHandler(parts: ServerOptions): McpHandler {
  const { sink, now } = parts;
  const guarded = guardHandler(
    createMcpHandler(() => createServer(parts)),
    { name: "crm", sink, now, maxBodyBytes: 65_536, parsedBody: true, authenticate: checkHeader },
  );
  const fetch = withPlaticaCodes((request) => guarded.fetch(request));
  return {
    fetch: async (request) =>
      new URL(request.url).pathname === MCP_PATH ? fetch(request) : new Response(null, { status: 404 }),
    close: () => guarded.close(),
  };
}
