// What a gateway shows in every state that alerts and dashboards are about, and that the documentation lists all of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dashboardExpressions } from "./dashboards.ts";
import { type DrivenGateway, startDrivenGateway } from "./driven-gateway.ts";
import { type KnownMetrics, readExposition, unknownNames } from "./rules-prometheus.ts";

const OPERATE = join(import.meta.dirname, "../../docs/gateway/operate.md");
let driven: DrivenGateway;
let lines: readonly string[];
let known: KnownMetrics;

beforeAll(async () => {
  driven = await startDrivenGateway();
  await driven.call();
  const text = await driven.metrics();
  lines = text.split("\n");
  known = readExposition([text]);
}, 300_000);
afterAll(() => driven?.close());

const value = (series: string) => Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1));

it.each([
  ['recourse_breaker_state{recourse_upstream="shop"}', 0],
  ['recourse_breaker_state{recourse_upstream="stock"}', 2],
  ['recourse_tool_breakers_open{recourse_upstream="shop"}', 1],
  ['recourse_tool_breakers_open{recourse_upstream="stock"}', 0],
  ['recourse_upstream_listed{recourse_upstream="shop",state="current"}', 1],
  ['recourse_upstream_listed{recourse_upstream="shop",state="kept"}', 0],
  ['recourse_upstream_listed{recourse_upstream="stock",state="kept"}', 1],
  ['recourse_upstream_listed{recourse_upstream="ghost",state="never"}', 1],
  ['recourse_config_reload_total{outcome="taken"}', 1],
  ['recourse_config_reload_total{outcome="refused"}', 1],
  ["recourse_approvals_pending", 1],
  ['recourse_idempotency_total{outcome="taken_over"}', 1],
  ['recourse_idempotency_total{outcome="unknown"}', 1],
  ['recourse_idempotency_total{outcome="reused"}', 1],
  ['recourse_idempotency_total{outcome="unavailable"}', 0],
  ['recourse_limit_refusals_total{policy="address"}', 0],
  ['recourse_gateway_unexpected_total{where="sink of incidents"}', 1],
  ['recourse_control_away{control="limits"}', 0],
  ["recourse_gateway_active_requests", 0],
])("%s is %d", (series, expected) => {
  expect(value(series)).toBe(expected);
});

it.each([
  "recourse_approvals_oldest_seconds",
  'recourse_limit_refusals_total{policy="tool"}',
  'recourse_idempotency_total{outcome="fresh"}',
  'recourse_idempotency_total{outcome="running"}',
  'recourse_idempotency_total{outcome="stored"}',
  'recourse_incidents_dropped_total{what="incident"}',
  'recourse_incidents_dropped_total{what="sample"}',
  'recourse_store_duration_seconds_count{store="redis",op="limits"}',
  'recourse_store_duration_seconds_count{store="redis",op="breakers"}',
  'recourse_store_duration_seconds_count{store="postgres",op="connect"}',
  'recourse_store_duration_seconds_count{store="postgres",op="idempotency"}',
  'recourse_store_duration_seconds_count{store="postgres",op="approvals"}',
  'recourse_store_duration_seconds_count{store="postgres",op="incidents"}',
  'recourse_store_duration_seconds_count{store="postgres",op="counts"}',
  'recourse_credential_requests_total{recourse_upstream="shop",outcome="given"}',
  "recourse_config_age_seconds",
  "process_cpu_seconds_total",
])("%s is more than 0", (series) => {
  expect(value(series)).toBeGreaterThan(0);
});

it("shows no caller, and nothing else that callers choose", () => {
  // The id of the API key, the idempotency keys, and the tenant.
  expect(lines.filter((line) => /driven|"default"/.test(line))).toEqual([]);
});

/** Histograms by their own names, and without the label of their buckets. */
function families(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const [series, labels] of known) {
    const name = series.replace(/_(?:bucket|count|sum)$/, "");
    const names = found.get(name) ?? new Set<string>();
    for (const label of labels.keys()) if (label !== "le") names.add(label);
    found.set(name, names);
  }
  return new Map([...found].map(([name, labels]) => [name, [...labels].toSorted()]));
}

it("the table of the documentation has every metric with its labels, and no other", () => {
  const rows = [...readFileSync(OPERATE, "utf8").matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)]
    .filter(([, name = ""]) => /^(?:mcp|recourse|nodejs|process)_/.test(name))
    .map(([, name = "", labels = ""]) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).toSorted()]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(families()));
});

it("shows every metric and label of the dashboards", () => {
  const expressions = dashboardExpressions();
  expect(expressions.length).toBeGreaterThan(24);
  const missing = expressions.flatMap(({ in: place, expr }) =>
    unknownNames(expr, known, new Set()).map((name) => `${place}: ${name}`),
  );
  expect(missing).toEqual([]);
});
