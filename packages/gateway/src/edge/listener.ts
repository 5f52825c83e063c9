import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { inBackground, type UnexpectedObserver } from "../telemetry/unexpected.ts";
import type { Proxies } from "./caller-address.ts";
import { HttpOrigin } from "./http-origin.ts";
import { answerPage, type Pages } from "./pages.ts";

/** What a listener passes requests to. */
export interface ListenerOptions {
  /** The path of the MCP endpoint; asked for each request, since a new configuration may change it. */
  readonly path: () => string;
  /** Whom to believe about the address of a caller. */
  readonly proxies: () => Proxies;
  readonly maxRequestBytes: () => number;
  /** How long a body may take. @default 30_000 */
  readonly bodyTimeoutMs?: number | undefined;
  readonly pages: Pages;
  readonly observer: UnexpectedObserver;
  /** Answers a request to the MCP endpoint. It never throws or rejects. */
  readonly onCall: (origin: HttpOrigin) => void;
}

/** Time-outs of connections. A body has a shorter one of its own, with an answer. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_MS = 5_000;
const MAX_HEADER_BYTES = 32 * 1_024;

/** Makes a server with the bounds that all listeners of the gateway have; it does not listen yet. */
export function createHttpServer(): Server {
  return createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    insecureHTTPParser: false,
    // Of a header that is repeated, the first would count here and perhaps another one in front of the gateway. Joined, it is
    // no credential, host or type any more, and is refused.
    joinDuplicateHeaders: true,
    noDelay: true,
  });
}

/** Makes the HTTP server of a gateway; it does not listen yet. */
export function createListener(options: ListenerOptions): Server {
  const server = createHttpServer();
  server.on("request", (incoming, outgoing) => receiveSafely(incoming, outgoing, false));
  server.on("checkContinue", (incoming, outgoing) => receiveSafely(incoming, outgoing, true));
  return server;

  /** An exception here would end the process. */
  function receiveSafely(incoming: IncomingMessage, outgoing: ServerResponse, awaitsContinue: boolean): void {
    try {
      receive(incoming, outgoing, awaitsContinue);
    } catch (error) {
      options.observer.unexpected(error, "request");
      outgoing.destroy();
    }
  }

  function receive(incoming: IncomingMessage, outgoing: ServerResponse, awaitsContinue: boolean): void {
    const path = pathOf(incoming.url ?? "/");
    if (path !== options.path()) {
      const answered = answerPage(incoming, outgoing, path, options.pages).catch((error: unknown) => {
        if (!outgoing.headersSent) outgoing.destroy();
        throw error;
      });
      inBackground("page", options.observer, answered);
      return;
    }
    const { bodyTimeoutMs } = options;
    options.onCall(
      new HttpOrigin(incoming, outgoing, {
        path,
        proxies: options.proxies(),
        maxRequestBytes: options.maxRequestBytes(),
        bodyTimeoutMs,
        awaitsContinue,
      }),
    );
  }
}

/** The path of a request target, whether or not it names a host. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  if (path.startsWith("/")) return path;
  const afterScheme = path.indexOf("://");
  const slash = afterScheme === -1 ? -1 : path.indexOf("/", afterScheme + 3);
  return slash === -1 ? "/" : path.slice(slash);
}
