import { createMcpHandler, localhostAllowedOrigins, originValidationResponse } from "@modelcontextprotocol/server";
import { guardHandler } from "@recourse/faults/server";
import { authenticateWith } from "./edge.ts";
import { createServer, type ServerParts } from "./server.ts";

/** What the HTTP server needs of MCP. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** MCP over HTTP, for clients of both eras: the official handler behind the guard's edge. */
export function createHandler(parts: ServerParts): McpHandler {
  const { docsBase, now, sink, service } = parts;
  const handler = createMcpHandler(({ requestInfo }) => createServer(parts, requestInfo?.url));
  // A page on some other site must not call tools through the browser of whoever looks at it.
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
      authenticate: authenticateWith(service),
      ...(sink !== undefined && { sink }),
    },
  );
}
