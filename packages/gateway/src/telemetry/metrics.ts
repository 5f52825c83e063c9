import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  type MetricProducer,
  type MetricReader,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import type { Fault } from "@recourse/core";
import type { Attributes } from "@recourse/core/telemetry";
import type { Call } from "../call/call.ts";
import type { ControlName, GatewayState, StoreName, TokenOutcome } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { DURATION_BOUNDS } from "../counts/counts.ts";
import { refusingPolicy } from "../counts/tally.ts";
import { STORE_OPS } from "../stores/timed-stores.ts";
import { callLabels } from "./call-labels.ts";
import { type DurationMetric, Durations } from "./durations.ts";
import { showProcess } from "./process-metrics.ts";
import { StateMetrics } from "./state-metrics.ts";

interface Metrics {
  began(): void;
  ended(call: Call, fault: Fault | undefined, durationMs: number): void;
  switched(control: ControlName, state: "away" | "back"): void;
  tokenRequested(upstream: string, outcome: TokenOutcome): void;
  storeAnswered(store: StoreName, op: string, durationMs: number): void;
  unexpected(where: string): void;
  /** Shows the state of the gateway from now on. */
  attach(state: GatewayState): void;
  /** The text for Prometheus; undefined if it is not served. */
  text(): Promise<string | undefined>;
  close(): Promise<void>;
}

const METER = "@recourse/gateway";

const CALL_DURATION: DurationMetric = {
  name: "mcp.server.operation.duration",
  description: "How long requests took, as the gateway saw it.",
  bounds: DURATION_BOUNDS,
};

const STORE_DURATION: DurationMetric = {
  name: "recourse.store.duration_seconds",
  description: "How long Redis and PostgreSQL took to answer, as the gateway saw it.",
  bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
};

/** One object for each store and operation. */
const STORE_LABELS: ReadonlyMap<string, Attributes> = new Map(
  Object.entries(STORE_OPS).flatMap(([store, ops]) => ops.map((op) => [`${store} ${op}`, { store, op }] as const)),
);

/** The policies by which the gateway refuses calls. Faults name them. */
const POLICIES = [
  ...(["address", "key", "tenant", "cost", "tool"] as const),
  ...(["calls", "streams", "memory", "approvals", "keys"] as const),
] as const;

/** Starts the metrics. Names and units follow the conventions of OpenTelemetry for MCP; Prometheus sees `_` for `.`. */
export function startMetrics({ telemetry, store }: GatewayConfig, resource: Resource): Metrics {
  const state = new StateMetrics({ resource, scope: METER, now: Date.now, monotonic: () => performance.now() });
  /** One of each for every reader. */
  const callDurations: Durations[] = [];
  const storeDurations: Durations[] = [];
  const producersFor = (temporality: AggregationTemporality): MetricProducer[] => {
    const make = (metric: DurationMetric) =>
      new Durations({ metric, resource, scope: METER, temporality, now: Date.now });
    const made = { calls: make(CALL_DURATION), stores: make(STORE_DURATION) };
    if (store.mode === "shared") for (const labels of STORE_LABELS.values()) made.stores.begin(labels);
    callDurations.push(made.calls);
    storeDurations.push(made.stores);
    return [made.calls, made.stores, state];
  };
  const prometheus = telemetry.prometheus
    ? new PrometheusExporter({
        preventServerStart: true,
        metricProducers: producersFor(AggregationTemporality.CUMULATIVE),
      })
    : undefined;
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const readers: MetricReader[] = prometheus === undefined ? [] : [prometheus];
  if (telemetry.otlp !== undefined) {
    const exporter = new OTLPMetricExporter({ url: `${telemetry.otlp}/v1/metrics` });
    const temporality = exporter.selectAggregationTemporality(InstrumentType.HISTOGRAM);
    readers.push(new PeriodicExportingMetricReader({ exporter, metricProducers: producersFor(temporality) }));
  }
  const provider = new MeterProvider({ resource, readers });
  const meter = provider.getMeter(METER);
  const faults = meter.createCounter("recourse.server.faults", {
    description: "Requests that were answered with a fault.",
  });
  let active = 0;
  meter
    .createObservableUpDownCounter("recourse.gateway.active_requests", { description: "Requests under way." })
    .addCallback((result) => result.observe(active));
  const switches = meter.createCounter("recourse.control.switches", {
    description: "How often a control lost its store or reached it again.",
  });
  const away = new Map<ControlName, number>();
  meter
    .createObservableGauge("recourse.control.away", {
      description: "1 while a control cannot reach its store and uses its fallback.",
    })
    .addCallback((result) => {
      for (const [control, value] of away) result.observe(value, { control });
    });
  const unexpected = meter.createCounter("recourse.gateway.unexpected", {
    description: "Unexpected exceptions. Each is a bug; the process keeps running.",
  });
  const refusals = new Map<string, number>(POLICIES.map((policy) => [policy, 0]));
  meter
    .createObservableCounter("recourse.limit.refusals", { description: "Calls that a limit refused, by its policy." })
    .addCallback((result) => {
      for (const [policy, count] of refusals) result.observe(count, { policy });
    });
  const tokenRequests = meter.createCounter("recourse.credential.requests", {
    description: "Requests for tokens for upstreams, by outcome.",
  });
  meter
    .createObservableGauge("recourse.store", { description: "Where limits, keys and sessions are kept." })
    .addCallback((result) => result.observe(1, { mode: store.mode }));
  const stopProcess = readers.length === 0 ? () => {} : showProcess(meter);
  const countRefusal = (call: Call, fault: Fault) => {
    const policy = refusingPolicy(call, fault) ?? "";
    const count = refusals.get(policy);
    // Names that are not in the table would be labels that others choose.
    if (count !== undefined) refusals.set(policy, count + 1);
  };
  return {
    began() {
      active += 1;
    },
    ended(call, fault, durationMs) {
      active -= 1;
      if (readers.length === 0) return;
      const labels = callLabels(call, fault);
      for (const one of callDurations) one.record(durationMs / 1_000, labels.duration);
      if (fault === undefined) return;
      faults.add(1, labels.all);
      countRefusal(call, fault);
    },
    switched(control, state) {
      away.set(control, state === "away" ? 1 : 0);
      switches.add(1, { control, state });
    },
    tokenRequested: (upstream, outcome) => tokenRequests.add(1, { "recourse.upstream": upstream, outcome }),
    storeAnswered(name, op, durationMs) {
      const labels = STORE_LABELS.get(`${name} ${op}`);
      if (labels !== undefined) for (const one of storeDurations) one.record(durationMs / 1_000, labels);
    },
    unexpected: (where) => unexpected.add(1, { where }),
    attach: (shown) => state.attach(shown),
    async text() {
      if (prometheus === undefined) return undefined;
      const { resourceMetrics } = await prometheus.collect();
      return serializer.serialize(resourceMetrics);
    },
    async close() {
      stopProcess();
      await provider.shutdown();
    },
  };
}
