// The shop over HTTP, in this process.
import { createServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { guardHandler, toNodeListener } from "@recourse/core/server";
import { isObject, type JsonObject, parseJson, sleep } from "@recourse/core/wire";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { type Defect, type Incoming, incomingOf, type Reply, TOKEN } from "./defect.ts";
import { createShop, ignoreIncidents } from "./shop.ts";
import type { ProbeClock } from "./waiting.ts";

const METADATA_PATH = "/.well-known/oauth-protected-resource";
const HOSTS = ["127.0.0.1", "localhost"];

/** How the shop is started. */
interface ShopOptions {
  /** @default none */
  readonly defect?: Defect;
  /** Whether it wants a token. @default as the defect says */
  readonly auth?: boolean;
  /** The clock of the probe. @default that of the machine */
  readonly clock?: ProbeClock;
}

/** Starts the shop on a free port of this machine. */
export async function startBadServer(options: ShopOptions = {}): Promise<LoopbackServer> {
  const { defect, auth = defect?.auth ?? false, clock } = options;
  // The address is part of the challenge, and known only when the server listens.
  let handle = (_request: Request, _extra: object): Promise<Response> => Promise.reject(new Error("not listening yet"));
  const listener = toNodeListener((request: Request, extra?: object) => handle(request, extra ?? {}));
  // The next request on a connection comes whenever the machine gets to it.
  const server = await listenOnLoopback(createServer({ keepAliveTimeout: 0 }, listener));
  const metadata = new URL(METADATA_PATH, server.url).href;
  const good = guardHandler(createMcpHandler(createShop), {
    name: "shop",
    sink: ignoreIncidents,
    allowedHosts: HOSTS,
    allowedOrigins: HOSTS,
    ...(auth && { auth: { authenticate, resourceMetadata: metadata } }),
  });
  const fetchGood = good.fetch as unknown as (request: Request, extra: object) => Promise<Response>;
  handle = (request, extra) => {
    if (auth && new URL(request.url).pathname === METADATA_PATH) return Promise.resolve(metadataOf(server.url));
    return defect === undefined ? fetchGood(request, extra) : serveBadly(request, extra);
  };

  async function serveBadly(request: Request, extra: object): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    const { socket } = (extra as { incoming: IncomingMessage }).incoming;
    const incoming = incomingOf(body, { transport: "http", http: { request, socket } });
    const reply = await defect?.answer?.(incoming);
    if (reply !== undefined && "afterMs" in reply) await late(reply.afterMs, socket);
    const response =
      reply === undefined || "afterMs" in reply
        ? await changed(await fetchGood(copyOf(request, body), extra), incoming)
        : await replied(reply, socket);
    return (await defect?.respond?.(response, incoming)) ?? response;
  }

  /** Waits in the time of the probe. */
  async function late(ms: number, { remotePort }: Socket): Promise<void> {
    const isOver = clock?.note(remotePort);
    // The defect is to be late.
    await sleep(ms);
    isOver?.();
  }

  async function replied(reply: Exclude<Reply, { afterMs: number }>, socket: Socket): Promise<Response> {
    if ("exit" in reply) socket.destroy();
    if ("never" in reply) {
      const isOver = clock?.note(socket.remotePort);
      if (isOver !== undefined) socket.once("close", isOver);
    }
    if ("exit" in reply || "never" in reply) return new Promise(() => {});
    if ("text" in reply) return new Response(reply.text, { status: reply.status ?? 200, headers: reply.headers ?? {} });
    const [message] = reply.messages;
    return message === undefined
      ? new Response(null, { status: reply.status ?? 202 })
      : Response.json(message, { status: reply.status ?? 200 });
  }

  async function changed(response: Response, incoming: Incoming): Promise<Response> {
    if (defect?.change === undefined || response.body === null) return response;
    const { status } = response;
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    const change = (message: JsonObject) => defect.change?.(message, incoming);
    return new Response(mapMessages(await response.text(), change), { status, headers });
  }

  return server;
}

function authenticate(request: Request) {
  const ok = request.headers.get("authorization") === `Bearer ${TOKEN}`;
  return ok ? ({ ok, auth: { sub: "ada" } } as const) : ({ ok } as const);
}

function metadataOf(url: URL): Response {
  return Response.json({ resource: url.href, authorization_servers: ["https://login.example"] });
}

function copyOf(request: Request, body: Uint8Array<ArrayBuffer>): Request {
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: ["GET", "HEAD"].includes(method) ? null : body });
}

/** Changes every message of a body: one JSON document, or a stream of events. */
function mapMessages(body: string, change: (message: JsonObject) => JsonObject | undefined): string {
  const whole = parseJson(body);
  if (isObject(whole)) return JSON.stringify(change(whole));
  return body.replaceAll(/^data: ?(.*)$/gm, (line: string, data: string) => {
    const message = parseJson(data);
    if (!isObject(message)) return line;
    const after = change(message);
    return after === undefined ? "" : `data: ${JSON.stringify(after)}`;
  });
}
