// Servers on loopback that fail in one way each.
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { createServer as createTls } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import type { TestCertificate } from "@recourse/test-kit/certificates";
import { readWebRequest } from "@recourse/test-kit/loopback";

/** A server that listens. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
}

/** Lets a server listen on a free port. Disposing it ends every connection. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A port that nothing listens on. */
export async function closedPort(): Promise<number> {
  await using server = await listen(createTcp());
  return server.port;
}

export const overHttp = (listener: RequestListener): Server => createServer(listener);
export const overTls = (certificate: TestCertificate, listener: RequestListener): Server =>
  createTls(certificate, listener);
export const overTcp = (onSocket: (socket: Socket) => void): Server => createTcp(onSocket);

/** Answers every request alike. */
export function always(status: number, headers: Readonly<Record<string, string>> = {}, body = ""): RequestListener {
  return (incoming, response) => {
    incoming.resume();
    response.writeHead(status, headers).end(body);
  };
}

const INFO = { name: "shop", version: "1.0.0" };

function withTool<S extends McpServerV1 | McpServerV2>(server: S): S {
  // The types of both versions differ, and the call does not.
  (server as McpServerV1).registerTool("list_items", { description: "Lists items." }, () => ({ content: [] }));
  return server;
}

/** A bare server of SDK version 2. It speaks both eras unless the older one is refused. */
export function sdkV2({ legacy = "stateless" as "stateless" | "reject" } = {}): RequestListener {
  const handler = createMcpHandler(() => withTool(new McpServerV2(INFO)) as never, { legacy });
  return async (incoming, response) => {
    const ended = new AbortController();
    response.on("close", () => ended.abort());
    const answer = await handler.fetch(await readWebRequest(incoming, ended.signal));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders();
    try {
      if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    } catch {
      // The client has gone.
    }
    response.end();
  };
}

/** A bare server of SDK version 1 with sessions, as most servers over HTTP are today. */
export function sdkV1(): RequestListener {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let last = 0;
  return async (incoming, response) => {
    const id = String(incoming.headers["mcp-session-id"] ?? "");
    const known = sessions.get(id);
    if (known !== undefined) return known.handleRequest(incoming, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${++last}`,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await withTool(new McpServerV1(INFO)).connect(transport as never);
    return transport.handleRequest(incoming, response);
  };
}

/** What a proxy does to requests and answers. */
export interface ProxyOptions {
  /** Headers that the server gets; change them in place. */
  readonly onRequest?: (headers: Record<string, unknown>) => void;
  /** Headers that the client gets. */
  readonly onAnswer?: (headers: Record<string, unknown>) => void;
  /** Passes an answer on when it is complete. */
  readonly buffers?: boolean;
  /** Removes the bodies of errors. */
  readonly eatsErrors?: boolean;
}

/** A proxy in front of a port on loopback. */
export function proxyTo(port: number, options: ProxyOptions): RequestListener {
  return (incoming: IncomingMessage, response: ServerResponse) => {
    const headers: Record<string, unknown> = { ...incoming.headers };
    delete headers["connection"];
    options.onRequest?.(headers);
    const upstream = request({
      host: "127.0.0.1",
      agent: false,
      port,
      path: incoming.url,
      method: incoming.method,
      headers: headers as never,
    });
    response.on("close", () => upstream.destroy());
    upstream.on("error", () => response.destroy());
    upstream.on("response", (answer) => {
      answer.on("error", () => response.destroy());
      const status = answer.statusCode ?? 502;
      const given: Record<string, unknown> = { ...answer.headers };
      options.onAnswer?.(given);
      if (options.eatsErrors === true && status >= 400) {
        answer.resume();
        response.writeHead(status).end();
        return;
      }
      if (options.buffers !== true) {
        response.writeHead(status, given as never).flushHeaders();
        answer.pipe(response);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => response.writeHead(status, given as never).end(Buffer.concat(chunks)));
    });
    incoming.pipe(upstream);
  };
}
