import { resourceFromAttributes } from "@opentelemetry/resources";
import type { Fault } from "@recourse/core";
import { core, transport } from "@recourse/core/reasons";
import { expect, it, onTestFinished } from "vitest";
import { testConfig } from "../../test/support/config.ts";
import { headWith } from "../../test/support/head.ts";
import { Call } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";
import { startMetrics } from "./metrics.ts";

function start(changes: Parameters<typeof testConfig>[0] = {}) {
  const telemetry = { otlp: undefined, prometheus: true, logLevel: "silent" } as const;
  const metrics = startMetrics(testConfig({ telemetry, ...changes }), resourceFromAttributes({}));
  onTestFinished(() => metrics.close());
  return { metrics, lines: async () => ((await metrics.text()) ?? "").split("\n") };
}

function callOf(tool: string, members: Partial<Call> = {}): Call {
  const origin = {
    head: headWith(),
    signal: new AbortController().signal,
    readBody: () => Promise.reject(),
    notify: () => {},
  };
  const call = new Call(origin, 0);
  const none = undefined;
  const spans = { id: none, params: none, target: none, arguments: none, meta: none, metaMembers: [] };
  call.message = { method: "tools/call", id: 1, params: {}, meta: {}, bytes: Buffer.alloc(0), spans };
  const upstream = { options: { name: "shop" } } as Upstream;
  const facts = { readOnly: true, idempotent: true, hasOutputSchema: false, inputSchema: {}, cost: 1 };
  call.route = { kind: "upstream", upstream, target: tool, tool: { name: tool, ...facts } };
  return Object.assign(call, members);
}

/** Five reasons of two kinds, as an upstream that is down or slow gives them. */
const REASONS: readonly Fault[] = [
  core.unavailable.fault(),
  transport.unreachable.fault(),
  transport.breaker_open.fault(),
  core.timeout.fault(),
  core.unavailable.fault({}, { effect: "none" }),
];

it("has one series of durations for each tool and kind of fault, however many reasons and effects there are", async () => {
  const { metrics, lines } = start();
  for (let at = 0; at < 200; at++) {
    for (const fault of [undefined, ...REASONS]) metrics.ended(callOf(`shop__tool${at}`), fault, 5);
  }
  const text = await lines();
  const counts = text.filter((line) => line.startsWith("mcp_server_operation_duration_count{"));
  const names = counts.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, name]) => name));
  expect([...new Set(names)].toSorted()).toEqual([
    "error_type",
    "gen_ai_tool_name",
    "mcp_method_name",
    "recourse_upstream",
  ]);
  const kinds = new Set(REASONS.map(({ kind }) => kind)).size;
  expect(kinds).toBeLessThan(REASONS.length);
  expect(counts).toHaveLength(200 * (1 + kinds));
  // The counter still tells them apart.
  expect(text.filter((line) => line.startsWith("recourse_server_faults_total{"))).toHaveLength(200 * REASONS.length);
});

it("counts refusals of its own limits by policy, and no policy that an upstream makes up", async () => {
  const { metrics, lines } = start();
  const refusal = (policy: string) => core.rate_limited.fault({}, { limits: [{ policy }] });
  metrics.ended(callOf("shop__find"), refusal("tenant"), 1);
  metrics.ended(callOf("shop__find"), refusal("made up"), 1);
  metrics.ended(callOf("shop__find", { wasSent: true }), refusal("tenant"), 1);
  metrics.ended(callOf("shop__find"), core.unavailable.fault(), 1);
  const counted = (await lines()).filter((line) => line.startsWith("recourse_limit_refusals_total{"));
  expect(counted.filter((line) => !line.endsWith(" 0"))).toEqual(['recourse_limit_refusals_total{policy="tenant"} 1']);
  expect(counted).toHaveLength(10);
});

it("shows the operations of shared stores from the start, and none of a store that does not exist", async () => {
  const count = (text: readonly string[]) =>
    text.filter((line) => line.startsWith("recourse_store_duration_seconds_count"));
  const memory = start();
  expect(count(await memory.lines())).toEqual([]);
  const shared = start({ store: { mode: "shared", redis: ["redis://r"], cluster: false, postgres: "postgres://p" } });
  expect(new Set(count(await shared.lines()).map((line) => line.split(" ").at(-1)))).toEqual(new Set(["0"]));
  shared.metrics.storeAnswered("redis", "limits", 2);
  shared.metrics.storeAnswered("redis", "made up", 2);
  const text = await shared.lines();
  expect(text).toContain('recourse_store_duration_seconds_bucket{store="redis",op="limits",le="0.001"} 0');
  expect(text).toContain('recourse_store_duration_seconds_bucket{store="redis",op="limits",le="0.0025"} 1');
  expect(text.join()).not.toContain("made up");
});

it("shows what the process uses", async () => {
  const { lines } = start();
  const value = async (name: string) =>
    Number(
      (await lines())
        .find((line) => line.startsWith(name))
        ?.split(" ")
        .at(-1),
    );
  expect(await value("process_resident_memory_bytes ")).toBeGreaterThan(await value("nodejs_heap_used_bytes "));
  expect(await value("recourse_memory_limit_bytes ")).toBeGreaterThan(await value("process_resident_memory_bytes "));
  expect(await value("process_cpu_seconds_total ")).toBeGreaterThan(0);
  if (process.platform === "linux") expect(await value("process_open_fds ")).toBeGreaterThan(2);
});

it("shows an event loop that was blocked", async () => {
  const { lines } = start();
  const p99 = async () =>
    Number(
      (await lines())
        .find((line) => line.startsWith('nodejs_eventloop_delay_seconds{quantile="0.99"}'))
        ?.split(" ")
        .at(-1),
    );
  // The first tick of the timer is where measuring begins.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const untilMs = performance.now() + 300;
  while (performance.now() < untilMs) Math.sqrt(untilMs);
  // The timer must see it before the metrics are read: reading begins a new measurement.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await p99()).toBeGreaterThan(0.2);
});
