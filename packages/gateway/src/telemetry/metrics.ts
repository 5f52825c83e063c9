import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  type MetricReader,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import type { Fault } from "@recourse/faults";
import { type Attributes, metricAttributes } from "@recourse/faults/telemetry";
import type { Call } from "../call/call.ts";
import type { ControlName, TokenOutcome } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { CallDurations } from "./call-durations.ts";

/** The values of the gauge of breakers. */
const BREAKER_STATES = { closed: 0, "half-open": 1, open: 2 } as const;

/** The metrics of one gateway. */
interface Metrics {
  began(): void;
  ended(call: Call, fault: Fault | undefined, durationMs: number): void;
  switched(control: ControlName, state: "away" | "back"): void;
  breaker(upstream: string, state: keyof typeof BREAKER_STATES): void;
  tokenRequested(upstream: string, outcome: TokenOutcome): void;
  unexpected(where: string): void;
  /** The text for Prometheus; undefined if it is not served. */
  text(): Promise<string | undefined>;
  close(): Promise<void>;
}

const METER = "@recourse/gateway";

/** Starts the metrics. Names and units follow the conventions of OpenTelemetry for MCP; Prometheus sees `_` for `.`. */
export function startMetrics({ telemetry, store, breaker, upstreams }: GatewayConfig, resource: Resource): Metrics {
  /** One for each reader. */
  const durations: CallDurations[] = [];
  const durationsFor = (temporality: AggregationTemporality): CallDurations => {
    const made = new CallDurations({ resource, scope: METER, temporality, now: Date.now });
    durations.push(made);
    return made;
  };
  const prometheus = telemetry.prometheus
    ? new PrometheusExporter({
        preventServerStart: true,
        metricProducers: [durationsFor(AggregationTemporality.CUMULATIVE)],
      })
    : undefined;
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const readers: MetricReader[] = prometheus === undefined ? [] : [prometheus];
  if (telemetry.otlp !== undefined) {
    const exporter = new OTLPMetricExporter({ url: `${telemetry.otlp}/v1/metrics` });
    const temporality = exporter.selectAggregationTemporality(InstrumentType.HISTOGRAM);
    readers.push(new PeriodicExportingMetricReader({ exporter, metricProducers: [durationsFor(temporality)] }));
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
  // From the start, so that an alert knows the difference between closed and not there.
  const names = breaker === undefined ? [] : upstreams.map(({ name }) => name);
  const breakers = new Map<string, keyof typeof BREAKER_STATES>(names.map((name) => [name, "closed"]));
  meter
    .createObservableGauge("recourse.breaker.state", {
      description: "The circuit breaker of an upstream, as this process knows it: 0 closed, 1 half-open, 2 open.",
    })
    .addCallback((result) => {
      for (const [upstream, state] of breakers) {
        result.observe(BREAKER_STATES[state], { "recourse.upstream": upstream });
      }
    });
  const tokenRequests = meter.createCounter("recourse.credential.requests", {
    description: "Requests for tokens for upstreams, by outcome.",
  });
  meter
    .createObservableGauge("recourse.store", { description: "Where limits, keys and sessions are kept." })
    .addCallback((result) => result.observe(1, { mode: store.mode }));
  return {
    began() {
      active += 1;
    },
    ended(call, fault, durationMs) {
      active -= 1;
      if (durations.length === 0) return;
      const labels = callLabels(call, fault);
      for (const one of durations) one.record(durationMs / 1_000, labels);
      if (fault !== undefined) faults.add(1, labels);
    },
    switched(control, state) {
      away.set(control, state === "away" ? 1 : 0);
      switches.add(1, { control, state });
    },
    breaker(upstream, state) {
      breakers.set(upstream, state);
    },
    tokenRequested: (upstream, outcome) => tokenRequests.add(1, { "recourse.upstream": upstream, outcome }),
    unexpected: (where) => unexpected.add(1, { where }),
    async text() {
      if (prometheus === undefined) return undefined;
      const { resourceMetrics } = await prometheus.collect();
      return serializer.serialize(resourceMetrics);
    },
    close: () => provider.shutdown(),
  };
}

/** The method of a call that was refused before its message was read. */
const UNREAD = "unread";
/** The method of a stream that a caller opened for its session: it has no message. */
const STREAM = "stream";

/** Methods are chosen by callers, so only those that led somewhere become a label. */
export function methodLabel({ message, route }: Call): string {
  if (message === undefined) return route === undefined ? UNREAD : STREAM;
  return route === undefined ? "refused" : message.method;
}

/** The name of a listed tool, as callers know it. */
export function toolLabel({ route }: Call): string | undefined {
  return route?.kind === "upstream" ? route.tool?.name : undefined;
}

/** The upstream that a call went to. */
function upstreamLabel({ route }: Call): string | undefined {
  return route?.kind === "upstream" ? route.upstream.options.name : undefined;
}

/** Labels that were made before. There are few, and calls that are counted together show the same object. */
const knownLabels = new Map<string, Attributes>();
/** Reloads can replace every tool; then the labels are collected from the beginning. */
const MAX_KNOWN_LABELS = 10_000;

/** The labels of a call in the metrics. Their values are few, whatever callers and upstreams send. */
export function callLabels(call: Call, fault: Fault | undefined): Attributes {
  const method = methodLabel(call);
  const tool = toolLabel(call);
  const upstream = upstreamLabel(call);
  const key = fault === undefined ? `${method} ${upstream} ${tool}` : faultKey(fault, [method, upstream, tool]);
  const known = knownLabels.get(key);
  if (known !== undefined) return known;
  const about = fault === undefined ? successLabels(method, tool) : metricAttributes(fault, { method, tool });
  const made = upstream === undefined ? about : { ...about, "recourse.upstream": upstream };
  if (knownLabels.size >= MAX_KNOWN_LABELS) knownLabels.clear();
  knownLabels.set(key, made);
  return made;
}

function successLabels(method: string, tool: string | undefined): Attributes {
  const about = { "mcp.method.name": method };
  return tool === undefined ? about : { ...about, "gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool" };
}

/** All that the labels of a fault are made of. Its reason may be chosen by an upstream, so it is JSON. */
function faultKey(fault: Fault, names: readonly (string | undefined)[]): string {
  return JSON.stringify([...names, fault.kind, fault.class, fault.reason, fault.effect, fault.origin.layer]);
}
