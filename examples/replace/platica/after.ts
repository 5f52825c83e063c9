// The same server with Recourse: the tools come from the document of the API, the errors from the dialect.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { type Bridge, forward, openapi } from "@recourse/bridge";
import { platica } from "@recourse/dialects/platica";
import { guard, guardHandler, type Sink } from "@recourse/faults/server";

/** Makes tools of the API. Callers send their own key, and read what the API says. */
export function openTools(api: string, document: object, sink: Sink): Promise<Bridge> {
  return openapi(document, {
    server: api,
    credential: forward("authorization"),
    foreignText: "raw",
    network: { allowPrivate: ["127.0.0.0/8"] },
    sink,
  });
}

/** The MCP endpoint. */
export function createHandler(tools: Bridge, sink: Sink): (request: Request) => Promise<Response> {
  const options = { dialect: platica, sink: sink as never };
  const createServer = () => tools.register(guard(new McpServer({ name: "crm", version: "1.0.0" }), options));
  const handler = guardHandler(createMcpHandler(createServer), {
    ...options,
    auth: {
      authenticate: ({ headers }) => ({ ok: headers.get("authorization")?.startsWith("Bearer pl_key_") === true }),
    },
  });
  return (request) => handler.fetch(request);
}
