import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between callers and one replica, and cuts some connections in the moment in which an answer comes. */
export interface LossyProxy {
  readonly port: number;
  /** How many answers were lost. */
  readonly lost: () => number;
  close(): void;
}

export interface LossyProxyOptions {
  /** The port of the replica. */
  readonly target: number;
  /** Asked for each piece of an answer. */
  readonly loses: () => boolean;
  /** Called where the replica does not listen. */
  readonly onRefused: () => void;
}

/** Starts a proxy to a port of this machine. */
export async function lossyProxy({ target, loses, onRefused }: LossyProxyOptions): Promise<LossyProxy> {
  const open = new Set<Socket>();
  let lost = 0;
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") onRefused();
    });
    near.pipe(far);
    far.on("data", (chunk: Buffer) => {
      if (loses()) {
        lost += 1;
        near.resetAndDestroy();
      } else near.write(chunk);
    });
    far.on("end", () => near.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    lost: () => lost,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
