// A forward proxy for tests: CONNECT, with or without a password, over HTTP or HTTPS, and with the faults that proxies have.
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { listenOnLoopback } from "./loopback.ts";

interface ForwardProxyOptions {
  /** `name:password` that clients have to show. @default none is asked for */
  readonly user?: string;
  /** What it speaks TLS with. @default plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Where the names lead that the proxy knows. @default 127.0.0.1 */
  readonly resolve?: (host: string) => string;
}

export interface ForwardProxy {
  readonly url: URL;
  /** The targets that clients asked for, in their order. */
  readonly asked: string[];
  /** What it does in place of its work: a status for each CONNECT, or nothing at all, or the end of the connection. */
  fault: number | "hang" | "close" | undefined;
  close(): Promise<void>;
}

/** Starts a proxy. Whatever host a client names, the connection leads to this machine. */
export async function startForwardProxy({ user, tls, resolve }: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on("request", (_, response) => response.writeHead(405).end());
  server.on("connect", (request, client: Socket, head: Buffer) => {
    const target = request.url ?? "";
    asked.push(target);
    open.add(client);
    client.on("error", () => {}).on("close", () => open.delete(client));
    if (proxy.fault === "hang") return;
    if (proxy.fault === "close") return void client.destroy();
    const expected = user && `Basic ${Buffer.from(user).toString("base64")}`;
    const status = proxy.fault ?? (expected === request.headers["proxy-authorization"] ? 200 : 407);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${target}`);
    const upstream = connect(Number(port || 80), resolve?.(hostname) ?? "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    open.add(upstream);
    upstream.on("error", () => client.destroy()).on("close", () => open.delete(upstream));
  });
  const { url, close } = await listenOnLoopback(server);
  url.pathname = "/";
  if (tls !== undefined) url.protocol = "https:";
  const proxy: ForwardProxy = {
    url,
    asked,
    fault: undefined,
    async close() {
      for (const socket of open) socket.destroy();
      await close();
    },
  };
  return proxy;
}
