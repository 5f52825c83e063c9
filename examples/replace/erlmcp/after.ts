// The same server with Recourse: the tools say what went wrong, the kit writes it.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { erlmcp } from "@recourse/dialects/erlmcp";
import { core } from "@recourse/faults/reasons";
import { guard, guardHandler, type Sink } from "@recourse/faults/server";
import * as z from "zod";
import { EXPORTS, query, renderReport, TOOL_TIMEOUT_MS } from "./reports.ts";

/** Creates the handler. Every error goes to the sink before it is answered, as the document asks. */
export function createHandler(sink: Sink) {
  const options = { dialect: erlmcp, sink, reportCallerErrors: true };
  const createServer = () => {
    const server = new McpServer({ name: "reports", version: "1.0.0" });
    return register(guard(server, { ...options, deadlineMs: TOOL_TIMEOUT_MS }));
  };
  return guardHandler(createMcpHandler(createServer), { ...options, body: { passParsed: true } });
}

function register(server: McpServer): McpServer {
  const said = (value: unknown) => ({ content: [{ type: "text" as const, text: String(value) }] });
  const numbers = z.object({ a: z.number(), b: z.number() });
  server.registerTool("calculate", { inputSchema: numbers }, ({ a, b }) => said(a + b));
  server.registerTool("database_query", { inputSchema: z.object({ sql: z.string() }) }, async ({ sql }) =>
    said(await query(sql)),
  );
  server.registerTool("render_report", {}, async () => said(await renderReport()));
  server.registerTool("export", {}, () => {
    const { limit, windowMs, waitMs } = EXPORTS;
    throw core.rate_limited({ limit, windowMs }, { retry: { allowed: true, afterMs: waitMs } });
  });
  return server;
}
