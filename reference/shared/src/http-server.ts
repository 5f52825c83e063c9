import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeListener } from "@recourse/faults/server";

/** Answers a web request. A guarded handler reads from `extra` at which address the connection came in. */
export type Fetch = (request: Request, extra?: object) => Promise<Response>;

/** Answers a web request; `extra` has the request of Node. */
export type RequestHandler = (request: Request, extra: { readonly incoming: IncomingMessage }) => Promise<Response>;

/** Serves a request handler with the HTTP server of Node. */
export function serve(handle: RequestHandler): Server {
  return createServer(toNodeListener(handle as Fetch));
}

/** The address that a server listens on; port 0 is any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A server that is listening. */
export interface RunningServer {
  readonly url: string;
  /** Stops listening, then closes what the handler uses. */
  close(): Promise<void>;
}

/** Serves a request handler at an address. `onClose` closes what the handler uses. */
export async function listen(
  handle: RequestHandler,
  { host, port }: ListenAddress,
  onClose?: () => Promise<void>,
): Promise<RunningServer> {
  const server = serve(handle).listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await onClose?.();
    },
  };
}

/** The names of this machine for itself. */
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The names that a server is reached by: those of this machine, and the ones that `ALLOWED_HOSTS` lists with commas. A page of
 * another site must not call tools through a visitor's browser, so requests for other hosts are refused.
 */
export function readHosts(listed = ""): readonly string[] {
  const named = listed.split(",").map((name) => name.trim());
  return [...LOCAL_HOSTS, ...named.filter((name) => name !== "")];
}
