// The cable between the server and its database; it can be pulled out and put back.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Cable {
  /** The address of the database at this end. */
  readonly url: string;
  pull(): void;
  plug(): void;
  close(): Promise<void>;
}

/** Lays a cable to a database. */
export async function layCable(databaseUrl: string): Promise<Cable> {
  const far = new URL(databaseUrl);
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
  const url = new URL(databaseUrl);
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
