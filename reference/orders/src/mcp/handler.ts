import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import type { Adapter } from "@recourse/bridge";
import { guard, guardHandler, type Sink } from "@recourse/faults/server";
import { dialectOf } from "./dialect.ts";

/** What the HTTP server needs of MCP. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The tools of an adapter over HTTP, for clients of both eras; each request has a server, and all share the adapter. */
export function createHandler(adapter: Adapter, options: { readonly sink?: Sink } = {}): McpHandler {
  const told = { name: "orders", ...options };
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer({ name: "orders", version: "0.0.0" });
    guard(server, { ...told, dialect: ({ meta }) => dialectOf(meta, requestInfo?.url) });
    return adapter.register(server);
  });
  return guardHandler(handler, { ...told, maxBodyBytes: 65_536, parsedBody: true });
}
