// Stands in for the service behind a server, on a port of this machine. Each case says what it answers.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer of the service: JSON, or a text. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a service does with a request. `drop` ends the connection, `silence` leaves it open without an answer. */
export type Reply = Answer | "drop" | "silence";

/** By method and path, the first whose pattern matches; a request that none matches gets 404 without a body. */
export type Replies = readonly (readonly [request: RegExp, reply: Reply])[];

/** The service of one process. */
export interface StandIn {
  readonly port: number;
  /** What it answers from now on. */
  use(replies: Replies): void;
  close(): void;
}

/** Starts a service. */
export async function startStandIn(): Promise<StandIn> {
  let current: Replies = [];
  const server = createServer((request, response) => {
    const asked = `${request.method} ${decodeURIComponent(request.url ?? "")}`;
    const reply = current.find(([pattern]) => pattern.test(asked))?.[1] ?? { status: 404 };
    if (reply === "silence") return;
    if (reply === "drop") {
      request.socket.destroy();
      return;
    }
    const isText = typeof reply.body === "string";
    response.writeHead(reply.status, {
      "content-type": isText ? "text/html" : "application/json",
      connection: "close",
      ...reply.headers,
    });
    response.end(isText ? (reply.body as string) : reply.body === undefined ? "" : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    use: (replies) => {
      current = replies;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The same reply to every request. */
export const always = (reply: Reply): Replies => [[/./, reply]];

/** A page of a proxy between the server and its service. */
export const PROXY_PAGE =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n" +
  "<hr><center>nginx</center>\r\n</body>\r\n</html>";
