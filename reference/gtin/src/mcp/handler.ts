import { createMcpHandler, localhostAllowedOrigins, originValidationResponse } from "@modelcontextprotocol/server";
import { guardHandler } from "@recourse/faults/server";
import { createAuthorize } from "./authorize.ts";
import { createServer, type ServerOptions } from "./server.ts";

/** The MCP endpoint. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Creates the MCP endpoint, for clients of all protocol revisions: the official handler, guarded. */
export function createHandler(parts: ServerOptions): McpHandler {
  const { docsBase, now, sink, service } = parts;
  const handler = createMcpHandler(({ requestInfo }) => createServer(parts, requestInfo?.url));
  // A page of another site must not call tools through a visitor's browser.
  const origins = [...localhostAllowedOrigins(), new URL(service.publicUrl).hostname];
  const fetch: typeof handler.fetch = async (request, options) =>
    originValidationResponse(request, origins) ?? handler.fetch(request, options);
  return guardHandler(
    { fetch, close: handler.close },
    {
      name: "gtin",
      docsBase,
      now,
      maxBodyBytes: 65_536,
      parsedBody: true,
      authorize: createAuthorize(service),
      ...(sink !== undefined && { sink }),
    },
  );
}
