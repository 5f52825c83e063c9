// A server for the official conformance suite, on the official SDK and over real HTTP on loopback: bare, or guarded.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { guard, guardHandler } from "../../../src/server/index.ts";
import { type Changes, serveContent } from "./content.ts";
import { serveInputs, serveRequests } from "./inputs.ts";

/** A server that runs; `close` ends it and every connection to it. */
export interface ConformanceServer {
  readonly url: string;
  close(): Promise<void>;
}

type Handle = (request: Request) => Promise<Response>;

/** Starts the server on a free port. */
export async function startConformanceServer({ guarded }: { guarded: boolean }): Promise<ConformanceServer> {
  const handle = handlerFor(guarded);
  const http = createServer((request, response) => void exchange(handle, request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Both kits around both eras: each server is guarded, and so is the edge, with what refuses strangers inside it. */
function handlerFor(guarded: boolean): Handle {
  const sink = () => {};
  const make = (changes: Changes) => (guarded ? guard(serverFor(changes), { sink }) : serverFor(changes));
  const modern: ReturnType<typeof createMcpHandler> = createMcpHandler(() => make(modern.notify));
  const legacy = sessions(() => make({ toolsChanged: () => {}, promptsChanged: () => {} }));
  const handle: Handle = async (request) =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    ((await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request));
  return guarded ? guardHandler(handle, { sink, methods: ["GET", "DELETE"] }) : handle;
}

/** Every request has a server of its own, so what one of them seals another one opens. */
const states = createRequestStateCodec<Record<string, unknown>>({ key: crypto.getRandomValues(new Uint8Array(32)) });

function serverFor(changes: Changes): McpServer {
  const server = new McpServer(
    { name: "conformance", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  serveContent(server, changes);
  serveInputs(server, states);
  serveRequests(server);
  return server;
}

/** What the SDK itself says of a session that has ended. */
const GONE = '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}';

/** Clients of 2025-11-25 answer requests of the server, which takes a session. */
function sessions(make: () => McpServer): Handle {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const session = request.headers.get("mcp-session-id");
    if (session !== null) return open.get(session)?.handleRequest(request) ?? new Response(GONE, { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    await make().connect(transport);
    return transport.handleRequest(request);
  };
}

async function exchange(handle: Handle, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  try {
    const answer = await handle(await webRequest(incoming, gone.signal));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.flushHeaders();
    const sink = new WritableStream<Uint8Array>({ write: (chunk) => void outgoing.write(chunk) });
    await answer.body?.pipeTo(sink, { signal: gone.signal });
  } catch {
    // The client has gone, or the answer broke off: either way the connection ends here.
    if (!outgoing.headersSent) outgoing.writeHead(500);
  }
  outgoing.end();
}

async function webRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new Request(`http://${incoming.headers.host ?? "127.0.0.1"}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: new Headers(incoming.headers as Record<string, string>),
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
    signal,
  });
}
