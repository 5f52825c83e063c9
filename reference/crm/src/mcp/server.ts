import { McpServer } from "@modelcontextprotocol/server";
import type { Bridge } from "@recourse/bridge";
import { platica } from "@recourse/dialects/platica";
import { guard, type Sink } from "@recourse/faults/server";
import { type Journal, withJournal } from "./journal.ts";

/** Options that the servers of all requests share. */
export interface ServerOptions {
  readonly bridge: Bridge;
  readonly sink: Sink;
  readonly now: () => number;
  readonly journal?: Journal | undefined;
}

/** Creates the MCP server of one request: the tools of the API, guarded, with failures in Platica's dialect. */
export function createServer({ bridge, sink, now, journal }: ServerOptions): McpServer {
  const server = guard(new McpServer({ name: "crm", version: "0.0.0" }), {
    name: "crm",
    sink,
    testing: { clock: { now } },
    dialect: platica,
  });
  return bridge.register(journal === undefined ? server : withJournal(server, journal));
}
