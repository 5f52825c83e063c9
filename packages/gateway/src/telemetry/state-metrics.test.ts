import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { expect, it } from "vitest";
import type { GatewayState } from "../call/observer.ts";
import { StateMetrics } from "./state-metrics.ts";

const QUIET: GatewayState = {
  version: "1.2.3",
  upstreams: () => [],
  breakers: () => undefined,
  incidents: () => ({ waiting: 0, dropped: 0, droppedSamples: 0 }),
  approvals: async () => ({ count: 0, oldestMs: 0 }),
  keys: () => undefined,
  reloads: () => ({ taken: 0, refused: 0, ageMs: 0 }),
};
const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);

/** The metrics of a state, and a clock that stands still until it is moved. */
function show(state: Partial<GatewayState> = {}) {
  let nowMs = 1_000;
  const metrics = new StateMetrics({
    resource: resourceFromAttributes({}),
    scope: "test",
    now: () => nowMs,
    monotonic: () => nowMs,
  });
  const lines = async () => serializer.serialize((await metrics.collect()).resourceMetrics).split("\n");
  return {
    metrics,
    attach: () => metrics.attach({ ...QUIET, ...state }),
    lines,
    linesOf: async (name: string) => (await lines()).filter((line) => line.startsWith(name)),
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

it("shows nothing before there is a state, and everything that is 0 as soon as there is one", async () => {
  const { attach, metrics, linesOf } = show({
    upstreams: () => [{ upstream: "shop", listed: "never" }],
    breakers: () => [],
  });
  expect((await metrics.collect()).resourceMetrics.scopeMetrics).toEqual([]);
  attach();
  expect(await linesOf("recourse_")).toEqual([
    'recourse_build_info{version="1.2.3"} 1',
    'recourse_config_reload_total{outcome="taken"} 0',
    'recourse_config_reload_total{outcome="refused"} 0',
    "recourse_config_age_seconds 0",
    'recourse_breaker_state{recourse_upstream="shop"} 0',
    'recourse_tool_breakers_open{recourse_upstream="shop"} 0',
    'recourse_upstream_listed{recourse_upstream="shop",state="current"} 0',
    'recourse_upstream_listed{recourse_upstream="shop",state="kept"} 0',
    'recourse_upstream_listed{recourse_upstream="shop",state="never"} 1',
    "recourse_incidents_waiting 0",
    'recourse_incidents_dropped_total{what="incident"} 0',
    'recourse_incidents_dropped_total{what="sample"} 0',
    "recourse_approvals_pending 0",
    "recourse_approvals_oldest_seconds 0",
  ]);
});

it("shows the upstreams of the configuration in use, whatever breakers remember", async () => {
  let upstream = "shop";
  const { attach, lines } = show({
    upstreams: () => [{ upstream, listed: "current" }],
    breakers: () => [
      { upstream: "old", state: "open" },
      { upstream: "shop", state: "half-open" },
      { upstream: "shop", tool: "a", state: "open" },
      { upstream: "shop", tool: "b", state: "half-open" },
      { upstream: "old", tool: "c", state: "open" },
    ],
  });
  attach();
  const text = await lines();
  expect(text).toContain('recourse_breaker_state{recourse_upstream="shop"} 1');
  expect(text).toContain('recourse_tool_breakers_open{recourse_upstream="shop"} 2');
  expect(text.join()).not.toContain('"old"');
  // A reload has replaced the one by the other.
  upstream = "stock";
  const later = await lines();
  expect(later).toContain('recourse_breaker_state{recourse_upstream="stock"} 0');
  expect(later.join()).not.toContain('"shop"');
});

it("has no breakers and no keys where the configuration has none", async () => {
  const { attach, lines } = show({ upstreams: () => [{ upstream: "shop", listed: "current" }] });
  attach();
  expect((await lines()).filter((line) => /breaker|idempotency/.test(line))).toEqual([]);
});

it("asks for approvals every five seconds at most, and keeps the last answer while the store hangs or fails", async () => {
  const hanging = Promise.withResolvers<never>();
  const answers = [
    async () => ({ count: 3, oldestMs: 61_000 }),
    () => Promise.reject(new Error("away")),
    () => hanging.promise,
    async () => ({ count: 0, oldestMs: 0 }),
  ];
  let asked = 0;
  const { attach, linesOf, pass } = show({ approvals: () => (answers[asked++] ?? Promise.reject)() });
  attach();
  const known = ["recourse_approvals_pending 3", "recourse_approvals_oldest_seconds 61"];
  const seen = async () => (await linesOf("recourse_approvals_")).toSorted().toReversed();
  expect(await seen()).toEqual(known);
  expect(await seen()).toEqual(known);
  expect(asked).toBe(1);
  pass(5_000);
  expect(await seen()).toEqual(known);
  expect(asked).toBe(2);
  // It hangs: each collection waits for a moment only, and questions do not pile up.
  expect(await seen()).toEqual(known);
  expect(await seen()).toEqual(known);
  expect(asked).toBe(3);
  hanging.reject(new Error("too late"));
  await expect.poll(seen).toEqual(["recourse_approvals_pending 0", "recourse_approvals_oldest_seconds 0"]);
});

it("shows no approvals if their store has never answered, and all the rest", async () => {
  const { attach, lines } = show({ approvals: () => new Promise(() => {}) });
  attach();
  const text = await lines();
  expect(text).toContain('recourse_build_info{version="1.2.3"} 1');
  expect(text.join()).not.toContain("recourse_approvals_");
});

it("shows the rest if a part of the state cannot be read", async () => {
  const { attach, metrics, lines } = show({
    upstreams: () => {
      throw new Error("a bug");
    },
  });
  attach();
  expect(await lines()).toContain("recourse_incidents_waiting 0");
  expect((await metrics.collect()).errors).toHaveLength(1);
});
