// A handler with sessions for a server of SDK 1.x: each session has a server and a transport of its own.
import { randomUUID } from "node:crypto";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { protocol } from "@recourse/faults/reasons";
import { createServer } from "./server-v1.ts";

const sessions = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; owner: string | undefined }>();

export async function withSessions(request: Request, extra?: { authInfo?: AuthInfo }): Promise<Response> {
  const owner = extra?.authInfo?.clientId;
  const id = request.headers.get("mcp-session-id");
  const known = sessions.get(id ?? "");
  // The id of a session is no credential: only its owner may use it.
  if (known !== undefined && known.owner === owner) return known.transport.handleRequest(request, extra);
  if (id !== null) throw protocol.session_not_found();
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (made) => void sessions.set(made, { transport, owner }),
    onsessionclosed: (made) => void sessions.delete(made),
  });
  await createServer().connect(transport);
  return transport.handleRequest(request, extra);
}
