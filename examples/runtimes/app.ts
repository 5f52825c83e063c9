// The whole server as one web-standard function: /v2 and /v1 are the MCP servers of the two SDK versions, and /run runs the
// client side within the same runtime.
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard, guardHandler, type HandlerOptions, memoryIdempotency } from "@recourse/faults/server";
import { TOKEN } from "./client.ts";
import { type Input, runProgram } from "./program.ts";
import { addTools } from "./tools.ts";

/** What a page of another origin needs. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*, authorization",
  "access-control-expose-headers": "www-authenticate, retry-after, mcp-session-id",
};

/** What the operator got to know. */
const incidents: string[] = [];
const sink = ({ cause }: { readonly cause?: unknown }) => incidents.push(String(cause));

const idempotency = memoryIdempotency();
const options: HandlerOptions = {
  name: "shop",
  sink,
  headers: CORS,
  auth: {
    authenticate: ({ headers }) =>
      headers.get("authorization") === `Bearer ${TOKEN}` ? { ok: true, auth: { sub: "ada" } } : { ok: false },
  },
};

const v2 = guardHandler(
  createMcpHandler(() => {
    const server = guard(new McpServer({ name: "shop", version: "1.0.0" }), {
      sink,
      idempotency: { store: idempotency },
    });
    addTools(server);
    return server;
  }),
  options,
);

const v1 = guardHandler(async (request: Request, extra?: object) => {
  const server = guard(new McpServerV1({ name: "shop", version: "1.0.0" }), {
    sink,
    idempotency: { store: idempotency },
  });
  addTools(server);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, extra);
}, options);

/** Answers one request. */
export async function app(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: CORS });
  if (pathname === "/v2") return withCors(await v2.fetch(request));
  if (pathname === "/v1") return withCors(await v1(request));
  if (pathname === "/incidents") return Response.json(incidents);
  if (pathname === "/run") return Response.json(await runProgram((await request.json()) as Input));
  return new Response(null, { status: 404 });
}

/** `headers` of the guard covers its own answers; those of the SDK need them too. */
function withCors(response: Response): Response {
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(CORS)) copy.headers.set(name, value);
  return copy;
}
