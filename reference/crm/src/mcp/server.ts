import { McpServer } from "@modelcontextprotocol/server";
import type { Bridge } from "@recourse/bridge";
import { type Dialect, mcp, platica } from "@recourse/faults/dialects";
import { guard, type Sink } from "@recourse/faults/server";
import { type Journal, journaled } from "./journal.ts";

/** What servers of all requests share. */
export interface ServerParts {
  readonly bridge: Bridge;
  readonly sink: Sink;
  readonly now: () => number;
  readonly journal?: Journal | undefined;
}

/** The MCP server of one request: the tools of the API, guarded, with failures in the system's own wire. */
export function createServer({ bridge, sink, now, journal }: ServerParts): McpServer {
  const server = guard(new McpServer({ name: "crm", version: "0.0.0" }), { name: "crm", sink, now, dialect });
  return bridge.register(journal === undefined ? server : journaled(server, journal));
}

/** The system has rules for calls of tools; everything else stays as the protocol has it. */
function dialect({ method }: { readonly method: string }): Dialect<unknown> {
  return (method === "tools/call" ? platica : mcp) as Dialect<unknown>;
}
