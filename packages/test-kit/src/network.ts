// A TCP proxy that can be disconnected, to test outages.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Below the ports that the system gives to connections, so that none of them takes a port while its server is down. */
const FIRST_PORT = 10_240;
/** Redis also listens 10,000 above its port if it is a cluster. */
const LAST_PORT = 22_240;

/** A port of 127.0.0.1 that nobody listens on, for a server that is killed and started again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (isFree) await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
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
