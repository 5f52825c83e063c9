import { McpServer } from "@modelcontextprotocol/server";
import { declares, guard, type Sink } from "@recourse/faults/server";
import type { Caller } from "../access/permit.ts";
import type { Operation } from "../operations/operation.ts";
import { TOOLS } from "../operations/operations.ts";
import { perform, type Service } from "../operations/perform.ts";
import type { AuthInfo } from "./authorize.ts";
import { DIALECTS, dialectNameOf } from "./dialect.ts";

/** Options that the servers of all requests share. */
export interface ServerOptions {
  readonly service: Service;
  /** The address of the error pages. */
  readonly docsBase: string;
  readonly sink?: Sink | undefined;
  readonly now: () => number;
}

/** The caller on a transport without HTTP. */
const ANONYMOUS: Caller = { kind: "anonymous", address: "unknown" };

/** Creates the MCP server of one request. `address` is the address of the request. */
export function createServer(parts: ServerOptions, address: string | undefined): McpServer {
  const { service, docsBase, sink, now } = parts;
  const server = guard(new McpServer({ name: "gtin", version: "0.0.0" }), {
    name: "gtin",
    docsBase,
    testing: { clock: { now } },
    dialect: ({ meta }) => DIALECTS[dialectNameOf(meta, address)],
    ...(sink !== undefined && { sink }),
  });
  for (const tool of TOOLS) register(server, tool, service);
  return server;
}

function register(server: McpServer, tool: Operation, service: Service): void {
  const { name, title, description, input, reasons, changes } = tool;
  const annotations = { readOnlyHint: !changes, idempotentHint: true, openWorldHint: false };
  const config = { title, description, inputSchema: input, annotations, _meta: declares(...reasons) };
  server.registerTool(name, config, async (args, context) => {
    const auth = context.http?.authInfo as AuthInfo | undefined;
    const payload = await perform(tool, args, auth?.extra.caller ?? ANONYMOUS, service);
    return { content: [{ type: "text", text: JSON.stringify(payload) }], structuredContent: payload };
  });
}
