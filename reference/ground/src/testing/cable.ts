// The cable between two parts; it can be pulled out and put back.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A connection that can be cut. */
export interface Cable {
  /** The address of the far end, at this one. */
  readonly url: string;
  pull(): void;
  plug(): void;
  close(): Promise<void>;
}

/** Lays a cable to an address with a port. */
export async function layCable(address: string): Promise<Cable> {
  const far = new URL(address);
  const sockets = new Set<Socket>();
  let isPulled = false;
  const server = createServer((near) => {
    if (isPulled) {
      near.resetAndDestroy();
      return;
    }
    const other = connect(Number(far.port || 5_432), far.hostname);
    for (const [socket, peer] of [
      [near, other],
      [other, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => peer.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        peer.destroy();
      });
    }
    near.pipe(other).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(address);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const pull = () => {
    isPulled = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    pull,
    plug: () => {
      isPulled = false;
    },
    close: async () => {
      pull();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
