import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import type { Adapter } from "@recourse/bridge";
import { guard, guardHandler, type Sink } from "@recourse/faults/server";
import type { Fetch } from "@recourse/reference-shared";
import { dialectOf } from "./dialect.ts";

/** The MCP endpoint. */
export interface McpHandler {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** Options of the MCP endpoint. */
export interface HandlerOptions {
  /** The names that the server is reached by. */
  readonly hosts: readonly string[];
  readonly sink?: Sink;
}

/** Creates the MCP endpoint of an adapter, for clients of all protocol revisions. Each request has a server; all share the adapter. */
export function createHandler(adapter: Adapter, { hosts, ...options }: HandlerOptions): McpHandler {
  const guardOptions = { name: "orders", ...options };
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer({ name: "orders", version: "0.0.0" });
    // Both backends keep the key with the order, and a second cancellation changes nothing.
    guard(server, {
      ...guardOptions,
      idempotency: { honoursKeys: true },
      dialect: ({ meta }) => dialectOf(meta, requestInfo?.url),
    });
    return adapter.register(server);
  });
  return guardHandler(handler, {
    ...guardOptions,
    allowedHosts: hosts,
    allowedOrigins: hosts,
    body: { maxBytes: 65_536, passParsed: true },
    dialect: ({ meta }) => dialectOf(meta, undefined),
  });
}
