import { expect, it } from "vitest";
import { httpUpstream, testConfig } from "../../test/support/config.ts";
import type { GatewayConfig } from "../config/types.ts";
import { changedOptions } from "./changed-options.ts";

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
