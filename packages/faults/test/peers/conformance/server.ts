// A server for the official conformance suite, with the official SDK over HTTP on loopback: bare, or guarded.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
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
import { type LoopbackServer, listenOnLoopback, toWebRequest } from "../loopback.ts";
import { type Changes, serveContent } from "./content.ts";
import { serveInputs, serveRequests } from "./inputs.ts";

type Handle = (request: Request) => Promise<Response>;

interface ServerOptions {
  readonly guarded: boolean;
}

/** Starts the server on a free port. */
export function startConformanceServer(options: ServerOptions): Promise<LoopbackServer> {
  const handle = createHandler(options);
  return listenOnLoopback(createServer((request, response) => void respond(handle, request, response)));
}

/** Serves both eras. With `guarded`, every server is guarded, and so is the HTTP handler with its host and origin checks. */
function createHandler({ guarded }: ServerOptions): Handle {
  const sink = () => {};
  const make = (changes: Changes) => (guarded ? guard(createServerFor(changes), { sink }) : createServerFor(changes));
  const modern: ReturnType<typeof createMcpHandler> = createMcpHandler(() => make(modern.notify));
  const legacy = serveSessions(() => make({ toolsChanged: () => {}, promptsChanged: () => {} }));
  const handle: Handle = async (request) =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    ((await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request));
  return guarded ? guardHandler(handle, { sink, methods: ["GET", "DELETE"] }) : handle;
}

/** Every request has a server of its own, so the servers share the key of the state. */
const states = createRequestStateCodec<Record<string, unknown>>({ key: crypto.getRandomValues(new Uint8Array(32)) });

function createServerFor(changes: Changes): McpServer {
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

/** The answer of the SDK for a session that has ended. */
const SESSION_NOT_FOUND = '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}';

/** Serves clients of 2025-11-25, which need a session to answer requests of the server. */
function serveSessions(make: () => McpServer): Handle {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const session = request.headers.get("mcp-session-id");
    if (session !== null)
      return open.get(session)?.handleRequest(request) ?? new Response(SESSION_NOT_FOUND, { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    await make().connect(transport);
    return transport.handleRequest(request);
  };
}

async function respond(handle: Handle, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  outgoing.on("close", () => disconnected.abort());
  try {
    const answer = await handle(await toWebRequest(incoming, disconnected.signal));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.flushHeaders();
    const sink = new WritableStream<Uint8Array>({ write: (chunk) => void outgoing.write(chunk) });
    await answer.body?.pipeTo(sink, { signal: disconnected.signal });
  } catch {
    // The client has disconnected, or the answer failed. Both end the connection.
    if (!outgoing.headersSent) outgoing.writeHead(500);
  }
  outgoing.end();
}
