import { createHash } from "node:crypto";
import type { GatewayConfig } from "@recourse/gateway";

/** The API key of every caller of the bench. */
export const API_KEY = "rk_bench_0000000000000000000000000000";
/** Tokens enough for any machine: the limits count, and never refuse. */
const PLENTY = { perSecond: 1_000_000, burst: 1_000_000 };

/** Which controls a gateway has. `keyed`: leased limits, and calls with an idempotency key. */
const CONTROLS = ["off", "leased", "exact", "keyed"] as const;
export type Controls = (typeof CONTROLS)[number];

/** The engines of the gateways with controls. */
export interface Engines {
  readonly redis: string;
  readonly postgres: string;
}

export interface ConfigOptions {
  readonly upstream: string;
  readonly controls: Controls;
  readonly engines: Engines;
  /** The era of the upstream. @default "2026-07-28" */
  readonly era?: "2026-07-28" | "2025-11-25";
}

/** A gateway in front of one upstream, without controls or with all of them. */
export function configOf({ upstream, controls, engines, era = "2026-07-28" }: ConfigOptions): GatewayConfig {
  const on = controls !== "off";
  return {
    listen: { host: "127.0.0.1", port: 0 },
    path: "/mcp",
    name: "bench",
    publicUrl: undefined,
    hosts: undefined,
    origins: undefined,
    proxies: [],
    store: on
      ? { mode: "shared", redis: [engines.redis], cluster: false, postgres: engines.postgres }
      : { mode: "memory" },
    authentication: on ? "required" : "none",
    keys: on ? [keyOf(API_KEY)] : [],
    jwt: undefined,
    keyCacheMs: 60_000,
    upstreams: [
      {
        kind: "http",
        name: "stub",
        prefix: "stub__",
        url: upstream,
        era,
        foreignText: "public",
        speaksFaults: false,
        trustAnnotations: false,
        dialect: undefined,
        timeoutMs: 30_000,
        honoursKeys: false,
        credential: { kind: "bearer", token: "upstream-token-0123456789" },
      },
    ],
    tools: [],
    limits: on
      ? {
          address: PLENTY,
          key: PLENTY,
          tenant: PLENTY,
          cost: undefined,
          tools: [{ pattern: "stub__*", rate: PLENTY }],
          mode: controls === "exact" ? "exact" : "leased",
        }
      : { address: undefined, key: undefined, tenant: undefined, cost: undefined, tools: [], mode: "leased" },
    away: { limits: "closed", replicas: 1 },
    idempotency: { keepMs: 3_600_000 },
    approvals: undefined,
    breaker: on ? { failures: 5, pauseMs: 1_000, maxPauseMs: 30_000 } : undefined,
    incidents: { keepMs: 2_592_000_000, samplesPerMinute: 20, callers: "keep", texts: "keep" },
    admin: undefined,
    maxRequestBytes: 4 * 1_024 * 1_024,
    maxAnswerBytes: 16 * 1_024 * 1_024,
    maxHeldBytes: 256 * 1_024 * 1_024,
    deadlineMs: 60_000,
    drainMs: 1_000,
    telemetry: { otlp: undefined, prometheus: on, logLevel: on ? "info" : "silent" },
  };
}

/** The caller of an API key. */
export function keyOf(key: string, id = "bench"): GatewayConfig["keys"][number] {
  const sha256 = createHash("sha256").update(key).digest("hex");
  return { id, tenant: "acme", sha256, tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
}
