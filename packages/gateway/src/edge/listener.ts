import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";
import type { Proxies } from "./caller-address.ts";
import { HttpOrigin } from "./http-origin.ts";
import { answerPage, type PageRequest, type Pages } from "./pages.ts";

interface ListenerOptions {
  /** The path of the MCP endpoint; asked for each request, since a new configuration may change it. */
  readonly path: () => string;
  readonly proxies: () => Proxies;
  readonly maxRequestBytes: () => number;
  /** How long a body may take. @default 30_000 */
  readonly bodyTimeoutMs?: number | undefined;
  readonly pages: Pages;
  /** Whether this address has the pages about the state of the gateway; those for callers it always has. */
  readonly showsState: boolean;
  readonly observer: UnexpectedObserver;
  /** Answers a browser that asks what a page may send; false if the page is not allowed. */
  readonly answerPreflight: (origin: HttpOrigin) => boolean;
  /** Answers a request to the MCP endpoint. It never throws or rejects. */
  readonly onCall: (origin: HttpOrigin) => void;
}

/** Time-outs of connections. A body has a shorter one of its own, with an answer. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
const CONNECTION_KEEP_ALIVE_MS = 65_000;
const CHECK_MS = 5_000;
const MAX_HEADER_BYTES = 32 * 1_024;

/** Makes a server with the bounds that all listeners of the gateway have; it does not listen yet. */
export function createHttpServer(): Server {
  return createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: CONNECTION_KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    insecureHTTPParser: false,
    // Of a header that is repeated, the first would count here and perhaps another one in front of the gateway. Joined, it is
    // no credential, host or type any more, and is refused.
    joinDuplicateHeaders: true,
    noDelay: true,
  });
}

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
    const path = targetPath(incoming.url ?? "/");
    if (path !== options.path()) {
      const { pages, observer, showsState } = options;
      const shown = { state: showsState, metadata: true };
      inBackground("page", observer, answerOrCut(incoming, outgoing, { path, pages, shown }));
      return;
    }
    const { bodyTimeoutMs } = options;
    const origin = new HttpOrigin(incoming, outgoing, {
      path,
      proxies: options.proxies(),
      maxRequestBytes: options.maxRequestBytes(),
      bodyTimeoutMs,
      awaitsContinue,
    });
    if (incoming.method === "OPTIONS" && options.answerPreflight(origin)) return;
    options.onCall(origin);
  }
}

/** Answers with a page. If not even a failure can be shown, the connection is cut. */
export async function answerOrCut(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  request: PageRequest,
): Promise<void> {
  try {
    await answerPage(incoming, outgoing, request);
  } catch (error) {
    if (!outgoing.headersSent) outgoing.destroy();
    throw error;
  }
}

/** The path of a request target, whether or not it names a host. */
export function targetPath(target: string): string {
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  if (path.startsWith("/")) return path;
  const afterScheme = path.indexOf("://");
  const slash = afterScheme === -1 ? -1 : path.indexOf("/", afterScheme + 3);
  return slash === -1 ? "/" : path.slice(slash);
}

/** Requests that were on their way when the gateway began to stop still arrive within this time. */
const DRAIN_QUIET_MS = 200;
/** How long the answers to calls that were ended may take to be written. */
const LAST_ANSWERS_MS = 1_000;

/** What is under way. */
export interface Running {
  readonly size: number;
  idle(signal: AbortSignal): Promise<void>;
  abortAll(): void;
}

/**
 * Stops a server without dropping calls: no connection is accepted any longer, those that are open get an answer to what is
 * on its way and are closed by it. What has not ended after `drainMs` is ended.
 */
export async function closeGently(server: Server, runner: Running, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The close of an HTTP server also cuts idle connections, on which a request may just be on its way.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const drained = AbortSignal.timeout(drainMs);
  do {
    await runner.idle(drained);
    await wait(Math.min(DRAIN_QUIET_MS, drainMs));
  } while (runner.size > 0 && !drained.aborted);
  if (runner.size > 0) {
    runner.abortAll();
    await runner.idle(AbortSignal.timeout(LAST_ANSWERS_MS));
  }
  server.close(() => {});
  server.closeIdleConnections();
  await Promise.race([closed, wait(LAST_ANSWERS_MS)]);
  server.closeAllConnections();
  await closed;
}

/** Requests that are not answered yet, so that a server can wait for them before it stops. */
export class UnderWay<T> implements Iterable<T> {
  readonly #all = new Set<T>();
  #onIdle: (() => void) | undefined;

  get size(): number {
    return this.#all.size;
  }

  add(one: T): void {
    this.#all.add(one);
  }

  delete(one: T): void {
    this.#all.delete(one);
    if (this.size === 0) this.#onIdle?.();
  }

  idle(signal: AbortSignal): Promise<void> {
    if (this.size === 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#all[Symbol.iterator]();
  }
}
