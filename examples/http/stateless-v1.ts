// A handler without sessions for a server of SDK 1.x: each request has a server and a transport of its own.
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createServer } from "./server-v1.ts";

export async function stateless(request: Request, extra?: { authInfo?: AuthInfo }): Promise<Response> {
  const server = createServer();
  // Answers as JSON are complete when they are returned, so the server can be closed then.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, extra);
  } finally {
    await server.close();
  }
}
