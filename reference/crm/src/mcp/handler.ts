import { createMcpHandler } from "@modelcontextprotocol/server";
import { platica } from "@recourse/dialects/platica";
import { guardHandler } from "@recourse/faults/server";
import type { Fetch } from "@recourse/reference-shared";
import { checkHeader } from "./edge.ts";
import { createServer, type ServerOptions } from "./server.ts";

/** The MCP endpoint. */
export interface McpHandler {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** Options of the MCP endpoint. */
export interface HandlerParts extends ServerOptions {
  /** The names that the server is reached by. Requests for other hosts, and of pages of other hosts, are refused. */
  readonly hosts: readonly string[];
}

/** The path of the MCP endpoint. */
const MCP_PATH = "/mcp";

/** Creates the MCP endpoint, for clients of all protocol revisions: the official handler, guarded. */
export function createHandler(parts: HandlerParts): McpHandler {
  const { sink, now, hosts } = parts;
  const guarded = guardHandler(
    createMcpHandler(() => createServer(parts)),
    {
      name: "crm",
      allowedHosts: hosts,
      allowedOrigins: hosts,
      sink,
      testing: { clock: { now } },
      dialect: platica,
      body: { maxBytes: 65_536, passParsed: true },
      auth: { authenticate: checkHeader },
    },
  );
  return {
    fetch: async (request, extra) =>
      new URL(request.url).pathname === MCP_PATH ? guarded.fetch(request, extra) : new Response(null, { status: 404 }),
    close: () => guarded.close(),
  };
}
