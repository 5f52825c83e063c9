import { createProxyChoice, type ProxyChoice, trustAlso, viaProxy } from "@recourse/core/node";
import { buildConnector } from "undici";
import type { UpstreamOptions } from "../config/types.ts";

/** The way to an upstream, and to the token service that its credential comes from. */
export type UpstreamAccess = Pick<UpstreamOptions, "proxy" | "tls">;

/** The proxy for each address; undefined if all are reached directly. */
export function proxyChoice({ proxy }: UpstreamAccess): ProxyChoice | undefined {
  return proxy && createProxyChoice(proxy);
}

/** Opens connections to an upstream or its token service. Connecting, and a tunnel before it, may each take so long. */
export function upstreamConnector(route: UpstreamAccess, timeoutMs: number): buildConnector.connector {
  const secureContext = trustAlso(route.tls?.ca);
  const direct = buildConnector({ timeout: timeoutMs, allowH2: false, ...(secureContext && { secureContext }) });
  return viaProxy(direct, { proxy: proxyChoice(route), timeoutMs, secureContext });
}
