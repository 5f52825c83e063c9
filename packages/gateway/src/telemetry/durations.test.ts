import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  MeterProvider,
  type MetricProducer,
  MetricReader,
} from "@opentelemetry/sdk-metrics";
import { isNightly } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DURATION_BOUNDS } from "../counts/counts.ts";
import { Durations } from "./durations.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_767_323_045_678 }));
afterEach(() => void vi.useRealTimers());

const resource = resourceFromAttributes({ "service.name": "test" });
const scope = "@recourse/gateway";
const metric = {
  name: "mcp.server.operation.duration",
  description: "How long requests took, as the gateway saw it.",
  bounds: DURATION_BOUNDS,
};
const TEMPORALITIES = [AggregationTemporality.CUMULATIVE, AggregationTemporality.DELTA] as const;

class Reader extends MetricReader {
  constructor(temporality: AggregationTemporality, metricProducers: MetricProducer[] = []) {
    super({ aggregationTemporalitySelector: () => temporality, metricProducers });
  }
  protected override onShutdown = () => Promise.resolve();
  protected override onForceFlush = () => Promise.resolve();
}

/** The histogram, and the same as an instrument of the SDK. */
function both(temporality: AggregationTemporality) {
  const durations = new Durations({ metric, resource, scope, temporality, now: Date.now });
  const ours = new Reader(temporality, [durations]);
  const theirs = new Reader(temporality);
  new MeterProvider({ resource, readers: [ours] });
  const instrument = new MeterProvider({ resource, readers: [theirs] }).getMeter(scope).createHistogram(metric.name, {
    unit: "s",
    description: metric.description,
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  return {
    record(seconds: number, labels: Record<string, string>) {
      durations.record(seconds, labels);
      instrument.record(seconds, labels);
    },
    collect: () => Promise.all([ours.collect(), theirs.collect()]),
  };
}

const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
const textOf = ({ resourceMetrics }: CollectionResult) => serializer.serialize(resourceMetrics);

/** All that exporters read. The SDK adds what it knows about its instrument. */
const sentOf = ({ resourceMetrics, errors }: CollectionResult) => ({
  errors,
  resource: resourceMetrics.resource,
  metrics: resourceMetrics.scopeMetrics.flatMap(({ scope: { name }, metrics }) =>
    metrics.map(({ descriptor, ...metric }) => {
      const { description, unit, valueType } = descriptor;
      return { scope: name, descriptor: { name: descriptor.name, description, unit, valueType }, ...metric };
    }),
  ),
});

const KNOWN = [{ method: "a" }, { method: "a", tool: "x" }, { method: "b", tool: "x" }];
const sameObjects = fc.constantFrom(...KNOWN);
const newObjects = sameObjects.map((one) => Object.fromEntries(Object.entries(one).reverse()));
const anySeconds = fc.oneof(
  fc.double({ min: 0, max: 400, noNaN: true }),
  fc.constantFrom(...DURATION_BOUNDS, -0, -Number.EPSILON),
);
/** Their sum does not depend on their order, and so not on which objects the labels are. */
const exactSeconds = fc.integer({ min: -1, max: 400 * 1_024 }).map((parts) => parts / 1_024);
const actionsWith = (seconds: fc.Arbitrary<number>, labels: fc.Arbitrary<Record<string, string>>) =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ seconds, labels }) },
      { weight: 1, arbitrary: fc.constant("collect" as const) },
    ),
    { maxLength: 60 },
  );
const anyActions = fc.oneof(
  actionsWith(anySeconds, sameObjects),
  actionsWith(exactSeconds, fc.oneof(sameObjects, newObjects)),
);

it.each(TEMPORALITIES)("gives what an instrument of the SDK gives: temporality %s", async (temporality) => {
  await fc.assert(
    fc.asyncProperty(anyActions, async (actions) => {
      const { record, collect } = both(temporality);
      for (const one of [...actions, "collect" as const]) {
        vi.setSystemTime(Date.now() + 1_234);
        if (one !== "collect") {
          record(one.seconds, one.labels);
          continue;
        }
        const [ours, theirs] = await collect();
        expect(sentOf(ours)).toEqual(sentOf(theirs));
        expect(textOf(ours)).toBe(textOf(theirs));
      }
    }),
    { numRuns: isNightly ? 100 : 30 },
  );
});

it.each(TEMPORALITIES)("counts what is too much as the SDK does: temporality %s", async (temporality) => {
  const { record, collect } = both(temporality);
  for (const from of [0, 1_000, 4_000]) {
    for (let index = 0; index < 2_100; index++) record(0.01, { tool: `tool ${from + index}` });
    const [ours, theirs] = await collect();
    expect(sentOf(ours)).toEqual(sentOf(theirs));
    expect(textOf(ours)).toContain('otel_metric_overflow="true"');
  }
});

it("what was given does not change while calls go on", async () => {
  const { record, collect } = both(AggregationTemporality.CUMULATIVE);
  record(0.01, { method: "a" });
  const [first] = await collect();
  const sent = structuredClone(sentOf(first).metrics);
  record(0.02, { method: "a" });
  await collect();
  expect(sentOf(first).metrics).toEqual(sent);
});

it("shows a series with 0 before its first duration, and counts on from there", async () => {
  const durations = new Durations({
    metric: { ...metric, bounds: [0.1] },
    resource,
    scope,
    temporality: AggregationTemporality.CUMULATIVE,
    now: Date.now,
  });
  const labels = { op: "read" };
  durations.begin(labels);
  const [first] = (await durations.collect()).resourceMetrics.scopeMetrics[0]?.metrics[0]?.dataPoints ?? [];
  expect(first?.value).toEqual({ count: 0, sum: 0, buckets: { boundaries: [0.1], counts: [0, 0] } });
  durations.record(0.05, labels);
  durations.begin(labels);
  expect(textOf(await durations.collect())).toContain('mcp_server_operation_duration_count{op="read"} 1');
});
