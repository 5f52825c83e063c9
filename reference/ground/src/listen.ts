import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Handle, serve } from "./serve.ts";

/** Where something listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** A server that listens. */
export interface Listening {
  readonly url: string;
  /** Stops listening, then ends what is behind it. */
  close(): Promise<void>;
}

/** Serves a function of requests at a place, port 0 being any that is free; `end` closes what the function needs. */
export async function listen(handle: Handle, { host, port }: Place, end?: () => Promise<void>): Promise<Listening> {
  const server = serve(handle).listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await end?.();
    },
  };
}
