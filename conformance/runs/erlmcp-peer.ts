// A server of the official SDK over HTTP on loopback that answers in erlmcp's wire, and raw requests to it.
import { createServer } from "node:http";
import { completable, createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { erlmcp } from "@recourse/core/dialects";
import { type GuardOptions, guard, guardHandler, type HandlerOptions, type Incident } from "@recourse/core/server";
import { listenOnLoopback, readWebRequest } from "@recourse/test-kit/loopback";
import * as z from "zod";
import { EXAMPLES } from "./erlmcp-examples.ts";

/** What a handler throws by accident: nothing of it may reach a caller. */
const ACCIDENT = "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/orders";

function fail(code: string): never {
  throw EXAMPLES.find((example) => example.error.code === Number(code))?.thrown() ?? new Error(ACCIDENT);
}

function register(server: McpServer): McpServer {
  server.registerTool("fails", { inputSchema: z.object({ code: z.string() }) }, ({ code }) => fail(code));
  server.registerTool("wordy", { description: "x".repeat(15_000) }, () => ({ content: [] }));
  server.registerTool("database_query", {}, () => fail("accident"));
  server.registerTool("long_operation", {}, () => new Promise<never>(() => {}));
  server.registerTool("calculate", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  server.registerResource(
    "fails",
    new ResourceTemplate("mcp://fails/{code}", { list: undefined }),
    {},
    (_uri, { code }) => fail(String(code)),
  );
  server.registerResource("broken", "mcp://broken", {}, () => fail("accident"));
  server.registerResource("slow", "mcp://slow", {}, () => new Promise<never>(() => {}));
  server.registerPrompt(
    "write_essay",
    { argsSchema: z.object({ topic: completable(z.string(), () => fail("accident")) }) },
    () => fail("accident"),
  );
  return server;
}

/** An answer as it came over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly message: {
    readonly jsonrpc?: unknown;
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
}

/** The `_meta` of a request of revision 2026-07-28. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Options of the run. */
export interface PeerOptions {
  readonly guard?: GuardOptions;
  readonly edge?: HandlerOptions;
}

/** Starts the server. */
export async function startErlmcpPeer(options: PeerOptions = {}) {
  const incidents: Incident[] = [];
  const sink = (incident: Incident) => incidents.push(incident);
  const handler = guardHandler(
    createMcpHandler(() =>
      register(guard(new McpServer({ name: "s", version: "1" }), { dialect: erlmcp, sink, ...options.guard })),
    ),
    { dialect: erlmcp, sink, body: { passParsed: true }, ...options.edge },
  );
  const web = createServer(async (incoming, outgoing) => {
    const response = await handler.fetch(await readWebRequest(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  const { url, close } = await listenOnLoopback(web);

  async function send(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetch(url, { method: "POST", headers: { ...own, ...headers }, body: body as string });
    const text = await response.text();
    const data =
      text
        .split("\n")
        .find((line) => line.startsWith("data: "))
        ?.slice(6) ?? text;
    return { status: response.status, headers: response.headers, message: JSON.parse(data) as Answer["message"] };
  }

  /** Sends a request of revision 2026-07-28. */
  function ask(method: string, params: Readonly<Record<string, unknown>> = {}, id: unknown = 1): Promise<Answer> {
    const name = params["name"] ?? params["uri"];
    return send(JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: META } }), {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && /^[ -~]+$/.test(name) && { "mcp-name": name }),
    });
  }

  return { url, close, send, ask, incidents };
}

/** An error without incident and effect, which are ours and in no document. */
export function documented(answer: Answer): unknown {
  const { error } = answer.message;
  if (typeof error?.data !== "object" || error.data === null) return error;
  const { incident: _id, effect: _effect, ...data } = error.data as Record<string, unknown>;
  const { data: _data, ...rest } = error;
  return Object.keys(data).length === 0 ? rest : { ...rest, data };
}
