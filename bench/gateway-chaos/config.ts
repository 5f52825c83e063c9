import { createHash } from "node:crypto";
import type { GatewayConfig } from "@recourse/gateway";
import { configOf } from "../gateway/config.ts";
import { UPSTREAM_MS } from "./deadlines.ts";
import type { UpstreamName } from "./plan.ts";
import { DATABASE_PASSWORD, UPSTREAM_TOKENS } from "./planted.ts";

/** The API key of the callers. */
export const API_KEY = "rk_chaos_0000000000000000000000000000";
/** High enough that limits seldom refuse, low enough that they do. */
const RATE = { perSecond: 400, burst: 200 };

export interface ReplicaConfigOptions {
  readonly port: number;
  readonly ports: Readonly<Record<UpstreamName, number>>;
  readonly redis: string;
  readonly postgres: string;
}

/** A replica with all controls on. */
export function replicaConfig({ port, ports, redis, postgres }: ReplicaConfigOptions): GatewayConfig {
  const address = new URL(postgres);
  address.password = DATABASE_PASSWORD;
  const engines = { redis, postgres: address.href };
  const base = configOf({ upstream: "", controls: "exact", engines });
  const sha256 = createHash("sha256").update(API_KEY).digest("hex");
  const upstreamOf = (name: UpstreamName): GatewayConfig["upstreams"][number] => ({
    kind: "http",
    name,
    prefix: `${name}__`,
    url: `http://127.0.0.1:${ports[name]}/mcp`,
    era: "2026-07-28",
    foreignText: "public",
    speaksFaults: false,
    trustAnnotations: false,
    dialect: undefined,
    timeoutMs: UPSTREAM_MS,
    honoursKeys: name === "honours",
    credential: { kind: "bearer", token: UPSTREAM_TOKENS[name] },
  });
  return {
    ...base,
    listen: { host: "127.0.0.1", port },
    name: "chaos",
    keys: base.keys.map((key) => ({ ...key, id: "chaos", sha256 })),
    upstreams: [upstreamOf("honours"), upstreamOf("plain")],
    limits: { ...base.limits, key: RATE, tools: [{ pattern: "*", rate: RATE }] },
    breaker: { failures: 5, pauseMs: 300, maxPauseMs: 2_000 },
    telemetry: { otlp: undefined, prometheus: true, logLevel: "info" },
  };
}
