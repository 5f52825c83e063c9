// A server as Platica's document describes it, with the official SDK alone.
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import * as z from "zod";

interface Tool {
  readonly input: z.ZodObject;
  readonly request: (args: Record<string, unknown>) => { readonly path: string; readonly body?: unknown };
}

const TOOLS: Readonly<Record<string, Tool>> = {
  get_client: {
    input: z.object({ id: z.string() }),
    request: ({ id }) => ({ path: `/clients/${encodeURIComponent(String(id))}` }),
  },
  create_client: {
    input: z.object({ name: z.string(), stage: z.enum(["lead", "customer"]) }),
    request: (body) => ({ path: "/clients", body }),
  },
};

const textOf = (text: string) => [{ type: "text" as const, text }];

/** Arguments that do not pass the schema: lines for the model, issues for programs. */
function invalidArguments({ issues }: z.ZodError) {
  const text = issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n");
  const list = issues.map(({ path, message, code }) => ({ path, message, code }));
  return { isError: true, content: textOf(text), structuredContent: { issues: list } };
}

/** Every answer other than 2xx is an execution error: the raw body, and the same parsed where it is JSON. */
async function callApi(api: string, key: string, { path, body }: ReturnType<Tool["request"]>) {
  const response = await fetch(api + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: key, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const structuredContent = parseJson(text) as Record<string, unknown> | undefined;
  return { isError: !response.ok, content: textOf(text), ...(structuredContent && { structuredContent }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createServer(api: string, key: string): Server {
  const server = new Server({ name: "crm", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(TOOLS).map(([name, { input }]) => ({ name, inputSchema: z.toJSONSchema(input) as never })),
  }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = TOOLS[params.name];
    if (tool === undefined) throw Object.assign(new Error(`Tool ${params.name} not found`), { code: -32602 });
    const input = tool.input.safeParse(params.arguments ?? {});
    return input.success ? callApi(api, key, tool.request(input.data)) : invalidArguments(input.error);
  });
  return server;
}

/** A refusal before the request reaches the MCP server. */
function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}

/** The MCP endpoint. */
export function createHandler(api: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "POST") return refusal(405, -32000, "Method not allowed. The server only accepts POST.");
    const key = request.headers.get("authorization") ?? "";
    if (!key.startsWith("Bearer pl_key_"))
      return refusal(401, -32001, "Unauthorized: missing or invalid Authorization header.");
    const message = parseJson(await request.clone().text()) as { jsonrpc?: unknown; method?: unknown } | undefined;
    if (message?.jsonrpc !== "2.0" || typeof message.method !== "string")
      return refusal(400, -32602, "Invalid arguments in the JSON-RPC call.");
    try {
      return await createMcpHandler(() => createServer(api, key)).fetch(request);
    } catch (error) {
      return refusal(500, -32603, String(error));
    }
  };
}
