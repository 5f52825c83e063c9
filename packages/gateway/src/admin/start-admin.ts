import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sink } from "@recourse/faults/server";
import type { ListState } from "../catalog/catalog.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Controls } from "../controls.ts";
import { closeGently } from "../edge/drain.ts";
import { HttpOrigin } from "../edge/http-origin.ts";
import { createHttpServer, pathOf } from "../edge/listener.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";
import type { KeyStore } from "../stores/keys.ts";
import type { Observer } from "../telemetry/observer.ts";
import { guarded, inBackground } from "../telemetry/unexpected.ts";
import { MAX_BODY_BYTES } from "./read-request.ts";
import { AdminRequests } from "./requests.ts";

/** What the API for operators shows and changes. */
export interface AdminParts {
  /** The configuration that counts at the moment. */
  readonly config: () => GatewayConfig;
  readonly controls: Controls;
  /** The keys that all replicas share; undefined where only those of the file count. */
  readonly keys: KeyStore | undefined;
  /** What is known about the upstreams. */
  readonly upstreams: () => readonly ListState[];
  /** Whether the store of the limits is away. */
  readonly areLimitsAway: () => boolean;
  readonly observer: Observer;
  /** Receives incidents of the API itself. */
  readonly sink: Sink<GatewayIncident>;
  readonly version: string;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
  /** How long a request may take, its body apart. @default 10_000 */
  readonly answerMs?: number;
}

/** A running API for operators. */
export interface Admin {
  readonly url: URL;
  close(): Promise<void>;
}

/** How long requests under way may take to end when the gateway stops. */
const DRAIN_MS = 5_000;

/** Starts the API for operators; undefined where the configuration has none. It rejects where the address is taken. */
export async function startAdmin(parts: AdminParts): Promise<Admin | undefined> {
  const { admin, drainMs } = parts.config();
  if (admin === undefined) return undefined;
  const requests = new AdminRequests(parts, () => performance.now());
  const server = createHttpServer();
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const target = incoming.url ?? "/";
    const question = target.indexOf("?");
    const origin = new HttpOrigin(incoming, outgoing, {
      path: pathOf(target),
      proxies: parts.config().proxies,
      maxRequestBytes: MAX_BODY_BYTES,
      awaitsContinue: false,
    });
    inBackground("admin", parts.observer, requests.answer(origin, question === -1 ? "" : target.slice(question + 1)));
  };
  server.on("request", (incoming, outgoing) => guarded("admin", parts.observer, () => receive(incoming, outgoing)));
  const { host, port } = admin.listen;
  server.listen(port, host);
  await once(server, "listening");
  server.on("error", (error) => parts.observer.unexpected(error, "admin listener"));
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: new URL(`http://${name}:${(server.address() as AddressInfo).port}/admin/v1`),
    close: () => closeGently(server, requests, Math.min(drainMs, DRAIN_MS)),
  };
}
