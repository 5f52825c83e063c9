import { resolve } from "node:path";
import type { RawConfig, RawKey, RawRate, RawUpstream } from "./raw.ts";
import type {
  AdminConfig,
  ApprovalsConfig,
  BreakerConfig,
  GatewayConfig,
  IdempotencyConfig,
  JwtConfig,
  KeyConfig,
  Rate,
  StoreConfig,
  UpstreamConfig,
  UpstreamCredential,
} from "./types.ts";
import { bytes, durationMs, rateOf } from "./units.ts";

const LOOPBACK = "127.0.0.1";

/** The configuration that a file without problems stands for. `folder` is where the file is. */
export function buildConfig(raw: RawConfig, folder: string): GatewayConfig {
  return {
    listen: listenOf(raw.listen),
    path: raw.path,
    name: raw.name,
    publicUrl: raw.publicUrl,
    hosts: raw.hosts,
    origins: raw.origins,
    proxies: raw.proxies,
    store: storeOf(raw.store),
    authentication: raw.authentication,
    keys: (raw.keys ?? []).map(keyOf),
    jwt: jwtOf(raw.jwt),
    keyCacheMs: durationMs(raw.keyCache),
    upstreams: Object.entries(raw.upstreams ?? {}).map(([name, one]) => upstreamOf(name, one, folder)),
    tools: Object.entries(raw.tools ?? {}).map(([pattern, rule]) => ({
      pattern,
      hidden: rule.hidden,
      scopes: rule.scopes,
      entitlement: rule.entitlement,
      cost: rule.cost,
    })),
    limits: {
      address: optionalRate(raw.limits.address),
      key: optionalRate(raw.limits.key),
      tenant: optionalRate(raw.limits.tenant),
      cost: optionalRate(raw.limits.cost),
      tools: Object.entries(raw.limits.tools ?? {}).map(([pattern, rate]) => ({ pattern, rate: rateOf(rate) })),
      mode: raw.limits.mode,
    },
    away: raw.away,
    idempotency: idempotencyOf(raw),
    approvals: approvalsOf(raw.approvals),
    breaker: breakerOf(raw.breaker),
    incidents: {
      keepMs: durationMs(raw.incidents.keep),
      samplesPerMinute: raw.incidents.samples,
      callers: raw.incidents.callers,
      texts: raw.incidents.texts,
    },
    admin: adminOf(raw.admin),
    maxRequestBytes: bytes(raw.maxRequest),
    maxAnswerBytes: bytes(raw.maxAnswer),
    maxHeldBytes: bytes(raw.maxHeld),
    maxStreams: raw.maxStreams,
    deadlineMs: durationMs(raw.deadline),
    drainMs: durationMs(raw.drain),
    telemetry: { otlp: raw.telemetry.otlp, prometheus: raw.telemetry.prometheus, logLevel: raw.telemetry.log },
  };
}

function idempotencyOf({ idempotency, store }: RawConfig): IdempotencyConfig {
  const inMemory = storeOf(store).mode === "memory";
  return { mode: inMemory ? (idempotency.memory ? "memory" : "off") : "shared", keepMs: durationMs(idempotency.keep) };
}

function approvalsOf(raw: RawConfig["approvals"]): ApprovalsConfig | undefined {
  if (raw === undefined || raw.tools.length + raw.denied.length === 0) return undefined;
  return { tools: raw.tools, denied: raw.denied, expiresMs: durationMs(raw.expires), link: raw.link };
}

function breakerOf({ enabled, failures, pause, maxPause }: RawConfig["breaker"]): BreakerConfig | undefined {
  return enabled ? { failures, pauseMs: durationMs(pause), maxPauseMs: durationMs(maxPause) } : undefined;
}

function adminOf(raw: RawConfig["admin"]): AdminConfig | undefined {
  if (raw === undefined) return undefined;
  const keys = (raw.keys ?? []).map(({ id = "", sha256 = "", role }) => ({ id, sha256: sha256.toLowerCase(), role }));
  return { listen: listenOf(raw.listen), keys };
}

/** `8080`, `0.0.0.0:8080` or `[::1]:8080`. */
export function listenOf(text: string): GatewayConfig["listen"] {
  const at = text.lastIndexOf(":");
  const host = at < 0 ? LOOPBACK : text.slice(0, at).replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(text.slice(at + 1)) };
}

/** What stands before the names of an upstream's tools. */
export function prefixOf(name: string, { prefix }: Pick<RawUpstream, "prefix">): string {
  return prefix ?? `${name}__`;
}

/** Where things are kept. */
export function storeOf(store: RawConfig["store"]): StoreConfig {
  if (store === undefined || store === "memory") return { mode: "memory" };
  const { redis = [], cluster, postgres = "" } = store;
  return { mode: "shared", redis: [redis].flat(), cluster, postgres };
}

function keyOf({ id = "", tenant, sha256 = "", tools, scopes, entitlements, dialect }: RawKey): KeyConfig {
  return { id, tenant, sha256: sha256.toLowerCase(), tools, scopes, entitlements, dialect };
}

function jwtOf(jwt: RawConfig["jwt"]): JwtConfig | undefined {
  if (jwt === undefined) return undefined;
  const { issuer = "", audience = "", tenantClaim, entitlementsClaim, tools, dialect } = jwt;
  const jwksUrl = jwt.jwksUrl ?? `${issuer.replace(/\/$/, "")}/.well-known/jwks.json`;
  return { issuer, audience, jwksUrl, tenantClaim, entitlementsClaim, tools, dialect };
}

function upstreamOf(name: string, raw: RawUpstream, folder: string): UpstreamConfig {
  const options = {
    name,
    prefix: prefixOf(name, raw),
    foreignText: raw.foreignText,
    speaksFaults: raw.speaksFaults,
    // The annotations of an API are those of the bridge.
    trustAnnotations: raw.trustAnnotations || raw.openapi !== undefined,
    dialect: raw.dialect,
    timeoutMs: durationMs(raw.timeout),
    maxCalls: raw.maxCalls,
    honoursKeys: raw.idempotency === "honoured",
    credential: credentialOf(raw.credential),
  };
  if (raw.url !== undefined) return { ...options, kind: "http", url: raw.url, era: raw.era };
  if (raw.openapi !== undefined) {
    const document = isUrl(raw.openapi) ? raw.openapi : resolve(folder, raw.openapi);
    return { ...options, kind: "openapi", document, server: raw.server, allowPrivate: raw.allowPrivate };
  }
  const [program = "", ...args] = raw.command ?? [];
  return {
    ...options,
    kind: "stdio",
    command: [program, ...args],
    environment: raw.environment ?? {},
    cwd: resolve(folder, raw.cwd ?? "."),
    per: raw.per,
    maxChildren: raw.maxChildren,
    idleMs: durationMs(raw.idle),
  };
}

function credentialOf({ bearer, header, value }: RawUpstream["credential"]): UpstreamCredential {
  if (bearer !== undefined) return { kind: "bearer", token: bearer };
  if (header !== undefined && value !== undefined) return { kind: "header", name: header, value };
  return { kind: "none" };
}

function optionalRate(raw: RawRate | undefined): Rate | undefined {
  return raw === undefined ? undefined : rateOf(raw);
}

/** Whether a document is at an address, not in a file. */
export function isUrl(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\//i.test(text);
}
