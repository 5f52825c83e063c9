import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { command } from "../../scripts/packed.ts";
import type { CheckoutOptions } from "./checkout.ts";
import type { Child } from "./child.ts";
import { API_KEY, type Controls } from "./config.ts";
import type { EnginePool } from "./engines.ts";
import type { LoadOrder } from "./load.ts";
import { callBody, callerKey, callHeaders, type StubName, sessionCallBody, TOOL } from "./messages.ts";
import type { ServerName } from "./servers.ts";

/** What stands in front of the upstream. */
type Proxy =
  | { readonly kind: "none" }
  | { readonly kind: "bare"; readonly server: ServerName }
  | { readonly kind: "gateway"; readonly controls: Controls }
  /** A public proxy; the era is the one that it speaks with its callers. */
  | { readonly kind: "peer"; readonly file: string; readonly era: "2026-07-28" | "2025-11-25" };

type UpstreamName = StubName | "sdk";

export interface Variant {
  readonly name: string;
  readonly proxy: Proxy;
  readonly upstream: UpstreamName;
}

const gateway = (controls: Controls) => ({ kind: "gateway", controls }) as const;
const NONE = { kind: "none" } as const;
const PIPED = { kind: "bare", server: "piped" } as const;
const LEAN = { kind: "bare", server: "lean" } as const;

/** All that is measured. What is there twice shows what the figures are worth. */
export const VARIANTS = {
  direct: { name: "no proxy", proxy: NONE, upstream: "ok" },
  piped: { name: "undici, piped", proxy: PIPED, upstream: "ok" },
  "piped-again": { name: "undici, piped, again", proxy: PIPED, upstream: "ok" },
  lean: { name: "undici, bodies whole", proxy: LEAN, upstream: "ok" },
  off: { name: "gateway, controls off", proxy: gateway("off"), upstream: "ok" },
  leased: { name: "gateway, all on, leased", proxy: gateway("leased"), upstream: "ok" },
  "leased-again": { name: "gateway, all on, leased, again", proxy: gateway("leased"), upstream: "ok" },
  exact: { name: "gateway, all on, exact", proxy: gateway("exact"), upstream: "ok" },
  keyed: { name: "gateway, leased, with a key", proxy: gateway("keyed"), upstream: "ok" },
  "direct-sentence": { name: "no proxy, tool fails", proxy: NONE, upstream: "sentence" },
  "piped-sentence": { name: "undici, piped, tool fails", proxy: PIPED, upstream: "sentence" },
  "failing-sentence": { name: "gateway, leased, tool fails", proxy: gateway("leased"), upstream: "sentence" },
  "direct-5xx": { name: "no proxy, 503", proxy: NONE, upstream: "overloaded" },
  "piped-5xx": { name: "undici, piped, 503", proxy: PIPED, upstream: "overloaded" },
  "failing-5xx": { name: "gateway, leased, 503", proxy: gateway("leased"), upstream: "overloaded" },
  "direct-large": { name: "no proxy, 200 KB", proxy: NONE, upstream: "large" },
  "piped-large": { name: "undici, piped, 200 KB", proxy: PIPED, upstream: "large" },
  "leased-large": { name: "gateway, leased, 200 KB", proxy: gateway("leased"), upstream: "large" },
  "mcp-proxy": {
    name: "mcp-proxy 6.7.19",
    proxy: { kind: "peer", file: "mcp-proxy.js", era: "2026-07-28" },
    upstream: "ok",
  },
  passthrough: {
    name: "@civic/passthrough-mcp-server 0.12.1",
    proxy: { kind: "peer", file: "passthrough.js", era: "2025-11-25" },
    upstream: "ok",
  },
  "direct-sdk": { name: "no proxy, SDK 2 upstream", proxy: NONE, upstream: "sdk" },
  "piped-sdk": { name: "undici, piped, SDK 2 upstream", proxy: PIPED, upstream: "sdk" },
  "leased-sdk": { name: "gateway, leased, SDK 2 upstream", proxy: gateway("leased"), upstream: "sdk" },
} as const satisfies Record<string, Variant>;
export type VariantId = keyof typeof VARIANTS;

/** What the variants in front of each upstream are compared with, and what its answers cost without a proxy. */
export const BASES = {
  ok: { piped: "piped", direct: "direct" },
  sentence: { piped: "piped-sentence", direct: "direct-sentence" },
  overloaded: { piped: "piped-5xx", direct: "direct-5xx" },
  large: { piped: "piped-large", direct: "direct-large" },
  sdk: { piped: "piped-sdk", direct: "direct-sdk" },
} as const satisfies Record<UpstreamName, { readonly piped: VariantId; readonly direct: VariantId }>;

/** The ids in a text with commas; it throws for one that does not exist. */
export function readVariants(text: string): readonly VariantId[] {
  return text.split(",").map((id) => {
    if (Object.hasOwn(VARIANTS, id)) return id as VariantId;
    throw new Error(`unknown variant ${id}; the variants are ${Object.keys(VARIANTS).join(", ")}`);
  });
}

/** A right answer: its status, and a part of its text. */
type Expected = Pick<LoadOrder, "status" | "expected">;
const SUCCESS: Expected = { status: 200, expected: "out out out" };
/** The gateway rewrites failures, as answers that keep `isError`. */
const FAILURE: Expected = { status: 200, expected: '"isError":true' };
const EXPECTED: Readonly<Record<UpstreamName, { readonly bare: Expected; readonly gateway: Expected }>> = {
  ok: { bare: SUCCESS, gateway: SUCCESS },
  sdk: { bare: SUCCESS, gateway: SUCCESS },
  large: { bare: { status: 200, expected: "a line of text" }, gateway: { status: 200, expected: "a line of text" } },
  sentence: { bare: FAILURE, gateway: FAILURE },
  overloaded: { bare: { status: 503, expected: "upstream overloaded" }, gateway: FAILURE },
};

/** Starts servers: each in a process of its own, or all in this one. */
export interface Host {
  server(name: ServerName, target: string): Promise<Child>;
  gateway(options: CheckoutOptions): Promise<Child>;
  /** A public proxy that is installed in a folder. */
  peer(file: string, target: string, folder: string): Promise<Child>;
}

export interface Setting {
  readonly host: Host;
  /** Addresses of the upstreams. */
  readonly stub: (name: StubName) => string;
  readonly sdk: string;
  readonly engines: EnginePool;
  /** Another checkout to take the gateway from. @default this one */
  readonly folder?: string | undefined;
}

export interface Started {
  readonly child: Child;
  /** What the load needs besides ports and time. */
  readonly order: Pick<LoadOrder, "path" | "headers" | "body" | "session" | "expected" | "status">;
}

/** Starts a variant. Gateways that are started together are replicas, and share their engines. */
export async function startVariant(variant: Variant, setting: Setting, replicas = 1): Promise<readonly Started[]> {
  const { proxy, upstream } = variant;
  const { host } = setting;
  const url = upstream === "sdk" ? setting.sdk : setting.stub(upstream);
  const tool = TOOL.name;
  const bare = {
    headers: callHeaders(tool),
    body: callBody(tool),
    session: false,
    path: "/mcp",
    ...EXPECTED[upstream].bare,
  };
  switch (proxy.kind) {
    case "none": {
      const { port, pathname } = new URL(url);
      const child = { port: Number(port), cpuUs: async () => 0, close: () => {} };
      return [{ child, order: { ...bare, path: pathname } }];
    }
    case "bare":
      return [{ child: await host.server(proxy.server, url), order: bare }];
    case "gateway": {
      const { controls } = proxy;
      const name = `stub__${tool}`;
      const order = {
        ...bare,
        ...EXPECTED[upstream].gateway,
        headers: { ...callHeaders(name), authorization: `Bearer ${controls === "keyed" ? callerKey() : API_KEY}` },
        body: callBody(name, { isKeyed: controls === "keyed" }),
      };
      const engines = controls === "off" ? { redis: "", postgres: "" } : await setting.engines.next();
      // An open breaker would refuse most calls without an attempt, which is not what is to be measured.
      const breakerStaysClosed = upstream === "overloaded";
      const options = { upstream: url, controls, engines, folder: setting.folder, breakerStaysClosed };
      const started: Started[] = [];
      for (let at = 0; at < replicas; at++) started.push({ child: await host.gateway(options), order });
      return started;
    }
    case "peer": {
      const child = await host.peer(proxy.file, url, installPeers());
      if (proxy.era === "2026-07-28") return [{ child, order: bare }];
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      return [{ child, order: { ...bare, headers, body: sessionCallBody(tool), session: true } }];
    }
    default:
      return proxy satisfies never;
  }
}

const INSTALLED = resolve(".cache/gateway-peers");
const PROJECT = "bench/gateway/peers";
const NPM = [
  "--ignore-scripts",
  "--legacy-peer-deps",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  "--prefer-offline",
];

/** Installs the public proxies from their lock, once. */
function installPeers(): string {
  mkdirSync(INSTALLED, { recursive: true });
  cpSync(PROJECT, INSTALLED, { recursive: true });
  if (!existsSync(join(INSTALLED, "node_modules"))) command("npm", ["ci", ...NPM], INSTALLED);
  return INSTALLED;
}
