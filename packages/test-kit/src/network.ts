// A TCP proxy that can be disconnected, to test outages.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Passes everything between two sockets. The end of one ends the other; both are in the set while they are open. */
export function joinSockets(client: Socket, upstream: Socket, open: Set<Socket>): void {
  for (const [socket, peer] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(socket);
    socket.on("error", () => peer.destroy());
    socket.on("close", () => {
      open.delete(socket);
      peer.destroy();
    });
  }
  client.pipe(upstream).pipe(client);
}

export interface FlakyProxy {
  readonly url: string;
  /** Breaks all connections, and refuses new ones. */
  disconnect(): void;
  /** Accepts connections again. */
  reconnect(): void;
  close(): Promise<void>;
}

const POSTGRES_PORT = 5_432;

export async function flakyProxy(address: string): Promise<FlakyProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isConnected = true;
  const server = createServer((client) => {
    if (!isConnected) {
      client.resetAndDestroy();
      return;
    }
    joinSockets(client, connect(Number(target.port || POSTGRES_PORT), target.hostname), sockets);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(address);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const disconnect = () => {
    isConnected = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    disconnect,
    reconnect: () => {
      isConnected = true;
    },
    close: async () => {
      disconnect();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
