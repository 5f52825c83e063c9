// Servers that break a connection in one way each. They answer the preflight requests of browsers first.

import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

const PREFLIGHT = [
  "HTTP/1.1 204 No Content",
  "access-control-allow-origin: *",
  "access-control-allow-headers: *, authorization",
  "access-control-max-age: 0",
  "content-length: 0",
  "connection: close",
  "\r\n",
].join("\r\n");

const HEAD = "HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-type: ";
const JSON_PART = `${HEAD}application/json\r\ncontent-length: 1000\r\n\r\n{"jsonrpc":`;
const STREAM_PART = `${HEAD}text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n9\r\n: hello\n\n\r\n`;

/** How the connection ends once a request was read. */
const ENDINGS = {
  "reset before the answer": (socket) => socket.resetAndDestroy(),
  "closed before the answer": (socket) => socket.end(),
  "closed within a JSON answer": (socket) => socket.write(JSON_PART, () => setTimeout(() => socket.end(), 50)),
  "closed within a stream": (socket) => socket.write(STREAM_PART, () => setTimeout(() => socket.end(), 50)),
} satisfies Record<string, (socket: Socket) => void>;

/** Bad addresses by name, and an end to the servers behind them. */
export interface Peers {
  readonly bad: Readonly<Record<string, string>> & { readonly refused: string };
  close(): void;
}

/** Starts all of them on free ports. */
export async function startPeers(): Promise<Peers> {
  const servers: Server[] = [];
  const listen = async (answer: (socket: Socket) => void) => {
    const server = createServer((socket) => onRequest(socket, answer));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const refused = await listen(() => {});
  await new Promise((resolve) => servers[0]?.close(resolve));
  const bad: Record<string, string> & { refused: string } = { refused };
  for (const [name, answer] of Object.entries(ENDINGS)) bad[name] = await listen(answer);
  const close = () => {
    for (const server of servers) server.close();
  };
  return { bad, close };
}

/** Calls `answer` for each whole request that is not a preflight. */
function onRequest(socket: Socket, answer: (socket: Socket) => void): void {
  let received = "";
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    const at = received.indexOf("\r\n\r\n");
    const length = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0);
    if (at === -1 || received.length < at + 4 + length) return;
    const isPreflight = received.startsWith("OPTIONS");
    received = "";
    if (isPreflight) socket.end(PREFLIGHT);
    else answer(socket);
  });
}
