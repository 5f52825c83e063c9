import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, isIP, type Socket } from "node:net";
import type { Fault } from "@recourse/core";
import { readHost } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { answerOrCut, createHttpServer, targetPath } from "./listener.ts";
import type { Pages } from "./pages.ts";

export interface TelemetryListener {
  readonly url: URL;
  close(): Promise<void>;
}

interface TelemetryListenerOptions {
  readonly pages: Pages;
  readonly observer: UnexpectedObserver;
  /** Connections at one moment. @default 256 */
  readonly maxConnections?: number | undefined;
}

/** Probes and Prometheus need a handful. */
const MAX_SCRAPERS = 256;

/**
 * Starts the listener that has the pages about the state of the gateway and nothing else; undefined if the configuration names
 * no address for it. It rejects if the address is taken.
 */
export async function startTelemetryListener(
  { listen }: GatewayConfig["telemetry"],
  { pages: given, observer, maxConnections = MAX_SCRAPERS }: TelemetryListenerOptions,
): Promise<TelemetryListener | undefined> {
  if (listen === undefined) return undefined;
  const pages: Pages = { ...given, checkSource: (head) => checkScraper(head, given) };
  const server = createHttpServer();
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = { path: targetPath(incoming.url ?? "/"), pages, shown: { state: true, metadata: false } };
    inBackground("page", observer, answerOrCut(incoming, outgoing, request));
  };
  server.on("request", answer);
  // No page reads a body, so nobody is asked to send one.
  server.on("checkContinue", answer);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // The oldest goes, not the new one: connections that never send a request must not keep a probe out.
    const [oldest] = sockets;
    if (sockets.size <= maxConnections || oldest === undefined) return;
    sockets.delete(oldest);
    oldest.destroy();
  });
  server.listen(listen.port, listen.host);
  await once(server, "listening");
  server.on("error", (error) => observer.unexpected(error, "telemetry listener"));
  const { port } = server.address() as AddressInfo;
  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return {
    url: new URL(`http://${host}:${port}/`),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Scrapers come by the address of a replica, or by a short name such as `gateway`. Both are served besides the hosts of the
 * configuration. The threat is a page of another site that reads the answer in a browser: it has to come by a name that its
 * owner directs to this address (DNS rebinding), and such a name has a dot.
 */
function checkScraper(head: RequestHead, pages: Pages): Fault | undefined {
  const host = readHost(head.header("host") ?? "");
  if (host === undefined || head.header("origin") !== undefined) return pages.checkSource(head);
  const isAddress = isIP(host.name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  return isAddress || !host.name.includes(".") ? undefined : pages.checkSource(head);
}
