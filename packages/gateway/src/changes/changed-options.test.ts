import { expect, it } from "vitest";
import { httpUpstream, testConfig } from "../../test/support/config.ts";
import type { GatewayConfig } from "../config/types.ts";
import { changedOptions, keepFixed } from "./changed-options.ts";

const SHOP = httpUpstream("https://shop.example/mcp", { name: "shop" });
const BEFORE = testConfig({ upstreams: [SHOP] });

it.each<[string, Partial<GatewayConfig>, readonly string[]]>([
  ["nothing", {}, []],
  ["an address", { upstreams: [{ ...SHOP, url: "https://other.example/mcp" } as never] }, ["upstreams.shop.url"]],
  ["a new upstream", { upstreams: [SHOP, { ...SHOP, name: "crm" }] }, ["upstreams.crm"]],
  ["an upstream that is gone", { upstreams: [] }, ["upstreams.shop"]],
  ["a time, by its name in the file", { deadlineMs: 1_000 }, ["deadline"]],
  [
    "a credential, without its value",
    { upstreams: [{ ...SHOP, credential: { kind: "bearer", token: "s3cret-token" } }] },
    ["upstreams.shop.credential.kind", "upstreams.shop.credential.token"],
  ],
  ["a limit", { limits: { ...BEFORE.limits, key: { perSecond: 1, burst: 2 } } }, ["limits.key"]],
  ["names of a list", { proxies: ["10.0.0.0/8"] }, ["proxies"]],
])("names %s", (_, changes, names) => {
  const found = changedOptions(BEFORE, testConfig({ upstreams: [SHOP], ...changes }));
  expect(found).toEqual(names);
  expect(JSON.stringify(found)).not.toContain("s3cret");
});

it("names the list where only the order differs", () => {
  const crm = { ...SHOP, name: "crm" };
  expect(changedOptions(testConfig({ upstreams: [SHOP, crm] }), testConfig({ upstreams: [crm, SHOP] }))).toEqual([
    "upstreams",
  ]);
});

it("names a hundred options at most", () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ ...SHOP, name: `up${at}` }));
  expect(changedOptions(BEFORE, testConfig({ upstreams: many }))).toHaveLength(100);
});

const KEY = { id: "ann", role: "admin", sha256: "00".repeat(32) } as const;
const ADMIN = { listen: { host: "127.0.0.1", port: 9_000 }, keys: [KEY] };

it("keeps what is fixed as it runs, and names what differs", () => {
  const running = testConfig({ admin: ADMIN });
  const next = testConfig({
    name: "other",
    deadlineMs: 5,
    listen: { host: "0.0.0.0", port: 1 },
    maxHeldBytes: 1,
    breaker: { failures: 1, pauseMs: 1, maxPauseMs: 1 },
    telemetry: { otlp: undefined, prometheus: true, logLevel: "debug" },
    admin: { listen: { host: "0.0.0.0", port: 2 }, keys: [] },
  });
  const { config, needsRestart } = keepFixed(next, running);
  expect(config).toEqual({ ...running, name: "other", deadlineMs: 5, admin: { ...ADMIN, keys: [] } });
  expect(needsRestart).toEqual(["listen", "telemetry", "maxHeldBytes", "breaker", "admin.listen"]);
});

it("refuses all operators where the file has none any longer, and starts no API", () => {
  const [running, without] = [testConfig({ admin: ADMIN }), testConfig()];
  expect(keepFixed(without, running).config.admin).toEqual({ listen: ADMIN.listen, keys: [] });
  expect(keepFixed(running, without)).toEqual({ config: without, needsRestart: ["admin.listen"] });
});

it("takes everything else over", () => {
  const running = testConfig({ admin: ADMIN });
  const next = { ...running, upstreams: [], path: "/other", drainMs: 1 };
  expect(keepFixed(next, running)).toEqual({ config: next, needsRestart: [] });
});

it("keeps the console as it runs: what signs its sessions is read once", () => {
  const console = { url: undefined, secret: "s".repeat(32), idleMs: 1, longestMs: 2 };
  const running = testConfig({ admin: { ...ADMIN, console } });
  const next = testConfig({ admin: { ...ADMIN, console: { ...console, secret: "t".repeat(32) } } });
  expect(keepFixed(next, running)).toEqual({ config: running, needsRestart: ["admin.console"] });
  const off = testConfig({ admin: ADMIN });
  expect(keepFixed(next, off)).toEqual({ config: off, needsRestart: ["admin.console"] });
  expect(keepFixed(off, running).config.admin?.console).toEqual(console);
});
