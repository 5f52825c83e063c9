import { createMcpHandler } from "@modelcontextprotocol/server";
import { platica } from "@recourse/faults/dialects";
import { guardHandler } from "@recourse/faults/server";
import type { Fetch } from "@recourse/reference-shared";
import { checkHeader } from "./edge.ts";
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
    { name: "crm", sink, now, dialect: platica, maxBodyBytes: 65_536, parsedBody: true, authenticate: checkHeader },
  );
  return {
    fetch: async (request) =>
      new URL(request.url).pathname === MCP_PATH ? guarded.fetch(request) : new Response(null, { status: 404 }),
    close: () => guarded.close(),
  };
}
