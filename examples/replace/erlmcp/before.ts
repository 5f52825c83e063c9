// A server as erlmcp's document describes it, written by hand: JSON-RPC over HTTP with a code for each failure.
import { createServer, type IncomingMessage } from "node:http";
import { EXPORTS, query, renderReport, TOOL_TIMEOUT_MS } from "./reports.ts";

const MAX_MESSAGE_BYTES = 16_777_216;

class McpError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Args = Readonly<Record<string, unknown>>;
const TOOLS: Readonly<Record<string, (args: Args) => Promise<unknown>>> = {
  calculate: async ({ a, b }) => {
    for (const [name, value] of Object.entries({ a, b })) {
      if (typeof value === "number") continue;
      const details = value === undefined ? `Missing required parameter: ${name}` : `${name} must be a number`;
      throw new McpError(-32034, "Invalid tool arguments", { tool: "calculate", details });
    }
    return Number(a) + Number(b);
  },
  database_query: ({ sql }) => query(String(sql)),
  render_report: () => renderReport(),
  export: async () => {
    const { limit, windowMs, waitMs } = EXPORTS;
    const data = { limit, window: windowMs / 1_000, retry_after: waitMs / 1_000 };
    throw new McpError(-32010, "Rate limit exceeded", data);
  },
};

async function callTool(name: string, args: Args): Promise<unknown> {
  const run = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (run === undefined) throw new McpError(-32002, "Tool not found", { tool: name });
  const data = { tool: name, timeout_ms: TOOL_TIMEOUT_MS };
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new McpError(-32032, "Tool execution timeout", data)), TOOL_TIMEOUT_MS);
  });
  try {
    return await Promise.race([run(args), late]);
  } catch (error) {
    if (error instanceof McpError) throw error;
    throw new McpError(-32031, "Tool execution failed", { tool: name, reason: (error as Error).message });
  }
}

interface Request {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly arguments?: Args };
}

async function handle({ method, params }: Request): Promise<unknown> {
  if (typeof method !== "string") throw new McpError(-32600, "Invalid Request", "Missing required field: method");
  if (method !== "tools/call") throw new McpError(-32601, "Method not found", { method });
  const text = String(await callTool(String(params?.name), params?.arguments ?? {}));
  return { content: [{ type: "text", text }] };
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (body.length > MAX_MESSAGE_BYTES) {
    const data = { actual_size: body.length, max_size: MAX_MESSAGE_BYTES, unit: "bytes" };
    throw new McpError(-32012, "Message size exceeds maximum allowed", data);
  }
  try {
    return JSON.parse(body.toString()) as Request;
  } catch (error) {
    throw new McpError(-32700, "Parse error", (error as Error).message);
  }
}

/** Removes what the document calls sensitive, by the names that we thought of. */
function sanitize(data: unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => !/password|token|secret/i.test(key)));
}

export const server = createServer(async (incoming, outgoing) => {
  let id: unknown;
  let answer: object;
  try {
    const request = await readRequest(incoming);
    id = request.id;
    answer = { result: await handle(request) };
  } catch (error) {
    const { code, message, data } = error instanceof McpError ? error : new McpError(-32603, "Internal error");
    answer = { error: { code, message, ...(data !== undefined && { data: sanitize(data) }) } };
    console.error("Sending error:", JSON.stringify(answer));
  }
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
