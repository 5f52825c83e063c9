import type { GatewayConfig, UpstreamConfig } from "../../src/config/types.ts";

/** A complete configuration for tests: one process, everybody may call, on a free port of the loopback address. */
export function testConfig(changes: Partial<GatewayConfig> = {}): GatewayConfig {
  return {
    listen: { host: "127.0.0.1", port: 0 },
    path: "/mcp",
    name: "test-gateway",
    publicUrl: undefined,
    hosts: undefined,
    origins: undefined,
    proxies: [],
    store: { mode: "memory" },
    authentication: "none",
    keys: [],
    jwt: undefined,
    keyCacheMs: 60_000,
    upstreams: [],
    tools: [],
    limits: { address: undefined, key: undefined, tenant: undefined, cost: undefined, tools: [], mode: "leased" },
    away: { limits: "closed", replicas: 1 },
    idempotency: { keepMs: 3_600_000 },
    approvals: undefined,
    breaker: undefined,
    incidents: { keepMs: 2_592_000_000, samplesPerMinute: 20, callers: "keep", texts: "keep" },
    admin: undefined,
    maxRequestBytes: 4 * 1_024 * 1_024,
    maxAnswerBytes: 16 * 1_024 * 1_024,
    maxHeldBytes: 256 * 1_024 * 1_024,
    deadlineMs: 600_000,
    drainMs: 10_000,
    telemetry: { otlp: undefined, prometheus: false, logLevel: "silent" },
    ...changes,
  };
}

/** What upstreams have in the tests, whatever they are reached by. */
const COMMON = {
  name: "up",
  prefix: "up__",
  foreignText: "public",
  speaksFaults: false,
  trustAnnotations: false,
  dialect: undefined,
  timeoutMs: 600_000,
  honoursKeys: false,
  credential: { kind: "none" },
} as const;

/** An upstream that is reached by HTTP, with the prefix `up__`. */
export function httpUpstream(
  url: URL | string,
  changes: Partial<Extract<UpstreamConfig, { kind: "http" }>> = {},
): UpstreamConfig {
  return { ...COMMON, kind: "http", url: String(url), era: "2026-07-28", ...changes };
}

/** An upstream that is a process, one for all callers, with the prefix `up__`. */
export function stdioUpstream(
  command: readonly [string, ...string[]],
  changes: Partial<Extract<UpstreamConfig, { kind: "stdio" }>> = {},
): Extract<UpstreamConfig, { kind: "stdio" }> {
  const child = { per: "replica", maxChildren: 4, idleMs: 60_000, environment: {} } as const;
  return { ...COMMON, ...child, kind: "stdio", command, ...changes };
}

/** An upstream that is a REST API, with the prefix `up__`. */
export function restUpstream(
  document: string,
  changes: Partial<Extract<UpstreamConfig, { kind: "openapi" }>> = {},
): UpstreamConfig {
  return { ...COMMON, kind: "openapi", document, server: undefined, ...changes };
}
