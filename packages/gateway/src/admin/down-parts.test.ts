import { expect, it } from "vitest";
import { httpUpstream, restUpstream, stdioUpstream, testConfig } from "../../test/support/config.ts";
import { cleanWhy, listDownParts, upstreamHost } from "./down-parts.ts";

const SINCE = "2026-11-18T12:00:00.000Z";
const START = "2026-11-18T11:00:00.000Z";

it.each([
  ["database", "Calls continue. Incidents wait in memory, up to 50,000 per process."],
  ["incidents", "Calls continue. Incidents wait in memory, up to 50,000 per process."],
  ["approvals", "Calls that need an approval are refused. Other calls continue."],
  ["limits", "Calls continue without limits."],
  ["upstream shop", "Its calls are refused."],
  ["lists of shop", "Its last list stays. Calls are still sent to it."],
  ["lists of gone", "Its tools are not listed, so they cannot be called."],
] as const)("says what callers get while this is down: %s", (control, text) => {
  const config = testConfig({ away: { limits: "open", replicas: 1 } });
  const shop = { upstream: "shop", listed: "kept", tools: 3, shadowed: [] } as const;
  const found = listDownParts(config, { away: [{ control, since: SINCE }], startedAt: START }, [shop]);
  expect(found[0]).toEqual({ part: control, since: SINCE, text });
});

it("names upstreams without a current list once, and a hundred parts at most", () => {
  const many = Array.from({ length: 300 }, (_, at) => `up${at}`);
  const lists = many.map((upstream) => ({ upstream, listed: "never", tools: 0, shadowed: [] }) as const);
  const away = [{ control: "lists of up0", since: SINCE } as const];
  const found = listDownParts(testConfig(), { away, startedAt: START }, lists);
  expect(found.map(({ part }) => part).slice(0, 3)).toEqual(["lists of up0", "lists of up1", "lists of up2"]);
  expect(found[1]?.since).toBe(START);
  expect(found).toHaveLength(100);
});

it("gives a cause as one short line without secrets", () => {
  expect(cleanWhy("The server could not be reached. (transport/unreachable, ECONNREFUSED)")).toBe(
    "The server could not be reached. (transport/unreachable, ECONNREFUSED)",
  );
  const key = `sk-ant-api03-${"aB3dE5fG7hJ9kL1m".repeat(4)}`;
  const cleaned = cleanWhy(`refused\n\u202e the key ${key} ${"x".repeat(500)}`) ?? "";
  expect(cleaned).not.toContain(key);
  expect(cleaned).not.toMatch(/[\n\u202e]/);
  expect(cleaned.length).toBeLessThanOrEqual(200);
  expect(cleanWhy(undefined)).toBeUndefined();
});

it.each([
  [httpUpstream("https://user:pass@shop.example:8443/mcp?key=1"), "shop.example:8443"],
  [stdioUpstream(["/usr/local/bin/shop-server", "--token", "secret"]), "shop-server"],
  [restUpstream("https://api.example/openapi.json"), "api.example"],
  [restUpstream("/etc/api/orders.yaml", { server: "https://orders.example/v1" }), "orders.example"],
  [restUpstream("/etc/api/orders.yaml"), "orders.yaml"],
])("names where an upstream is: %#", (upstream, host) => {
  expect(upstreamHost(upstream)).toBe(host);
});
