import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "@recourse/test-kit/network";
import { command } from "../../scripts/packed.ts";
import { type Child, startChild } from "./child.ts";
import { API_KEY, type Controls, type Engines } from "./config.ts";
import type { LoadOrder } from "./load.ts";
import { callBody, callHeaders, type StubName, sessionCallBody, TOOL } from "./messages.ts";

/** What stands in front of the upstream. */
type Proxy =
  | { readonly kind: "none" }
  | { readonly kind: "bare"; readonly file: "piped.ts" | "lean.ts" }
  | { readonly kind: "gateway"; readonly controls: Controls }
  /** A public proxy; the era is the one that it speaks with its callers. */
  | { readonly kind: "peer"; readonly file: string; readonly era: "2026-07-28" | "2025-11-25" };

export interface Variant {
  readonly name: string;
  readonly proxy: Proxy;
  readonly upstream: StubName | "sdk";
}

const gateway = (controls: Controls) => ({ kind: "gateway", controls }) as const;
const PIPED = { kind: "bare", file: "piped.ts" } as const;

/** All that is measured. What is there twice shows what the figures are worth. */
export const VARIANTS = {
  direct: { name: "no proxy", proxy: { kind: "none" }, upstream: "ok" },
  piped: { name: "undici, piped", proxy: PIPED, upstream: "ok" },
  "piped-again": { name: "undici, piped, again", proxy: PIPED, upstream: "ok" },
  lean: { name: "undici, bodies whole", proxy: { kind: "bare", file: "lean.ts" }, upstream: "ok" },
  off: { name: "gateway, controls off", proxy: gateway("off"), upstream: "ok" },
  leased: { name: "gateway, all on, leased", proxy: gateway("leased"), upstream: "ok" },
  "leased-again": { name: "gateway, all on, leased, again", proxy: gateway("leased"), upstream: "ok" },
  exact: { name: "gateway, all on, exact", proxy: gateway("exact"), upstream: "ok" },
  keyed: { name: "gateway, leased, with a key", proxy: gateway("keyed"), upstream: "ok" },
  failing: { name: "gateway, leased, upstream fails", proxy: gateway("leased"), upstream: "failing" },
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
  "direct-sdk": { name: "no proxy, SDK 2 upstream", proxy: { kind: "none" }, upstream: "sdk" },
  "piped-sdk": { name: "undici, piped, SDK 2 upstream", proxy: PIPED, upstream: "sdk" },
  "leased-sdk": { name: "gateway, leased, SDK 2 upstream", proxy: gateway("leased"), upstream: "sdk" },
} as const satisfies Record<string, Variant>;
export type VariantId = keyof typeof VARIANTS;

/** A text of every right answer. A failure comes as one of ours, so it is found by what it must keep: `isError`. */
const EXPECTED: Readonly<Record<Variant["upstream"], string>> = {
  ok: "out out out",
  sdk: "out out out",
  failing: "isError",
  large: "a line of text",
};

export interface Setting {
  /** Addresses of the upstreams. */
  readonly stub: (name: StubName) => string;
  readonly sdk: string;
  readonly engines: Engines;
  readonly flags: readonly string[];
  /** Another checkout to take the gateway from. @default this one */
  readonly folder?: string | undefined;
}

export interface Started {
  readonly child: Child;
  /** What the load needs besides ports and time. */
  readonly order: Pick<LoadOrder, "path" | "headers" | "body" | "session" | "expected">;
}

const GATEWAY_FILE = "bench/gateway/gateway.ts";

/** Starts a variant. */
export async function startVariant(variant: Variant, setting: Setting): Promise<Started> {
  const { proxy, upstream } = variant;
  const url = upstream === "sdk" ? setting.sdk : setting.stub(upstream);
  const expected = EXPECTED[upstream];
  const tool = TOOL.name;
  const modern = { headers: callHeaders(tool), body: callBody(tool), session: false, expected };
  switch (proxy.kind) {
    case "none": {
      const { port, pathname } = new URL(url);
      const child = { port: Number(port), cpuUs: async () => 0, close: () => {} };
      return { child, order: { ...modern, path: pathname } };
    }
    case "bare":
      return { child: await startChild({ file: proxy.file, args: [url] }), order: { ...modern, path: "/mcp" } };
    case "gateway": {
      const options = JSON.stringify({ upstream: url, controls: proxy.controls, engines: setting.engines });
      const { flags, folder } = setting;
      const place =
        folder === undefined ? { file: "gateway.ts" } : { file: resolve(folder, GATEWAY_FILE), cwd: folder };
      const child = await startChild({ ...place, args: [options], flags });
      const name = `stub__${tool}`;
      const headers = { ...callHeaders(name), authorization: `Bearer ${API_KEY}` };
      return {
        child,
        order: { ...modern, path: "/mcp", headers, body: callBody(name, { isKeyed: proxy.controls === "keyed" }) },
      };
    }
    case "peer": {
      const cwd = installPeers();
      const port = String(await freePort());
      const child = await startChild({ file: join(cwd, proxy.file), args: [url, port], cwd });
      if (proxy.era === "2026-07-28") return { child, order: { ...modern, path: "/mcp" } };
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      return { child, order: { headers, body: sessionCallBody(tool), session: true, expected, path: "/mcp" } };
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
