import { createMcpHandler } from "@modelcontextprotocol/server";
import { guardHandler } from "@recourse/faults/server";
import { type Fetch, readHosts } from "@recourse/reference-shared";
import { createAuthorize } from "./authorize.ts";
import { createServer, type ServerOptions } from "./server.ts";

/** The MCP endpoint. */
export interface McpHandler {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** Creates the MCP endpoint, for clients of all protocol revisions: the official handler, guarded. */
export function createHandler(parts: ServerOptions): McpHandler {
  const { docsBase, now, sink, service } = parts;
  // A page of another site must not call tools through a visitor's browser.
  const hosts = readHosts(new URL(service.publicUrl).hostname);
  return guardHandler(
    createMcpHandler(({ requestInfo }) => createServer(parts, requestInfo?.url)),
    {
      name: "gtin",
      allowedHosts: hosts,
      allowedOrigins: hosts,
      docsBase,
      testing: { clock: { now } },
      body: { maxBytes: 65_536, passParsed: true },
      auth: { authorize: createAuthorize(service) },
      ...(sink !== undefined && { sink }),
    },
  );
}
