import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import type { Resource } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { Fault } from "@recourse/faults";
import type { GatewayConfig } from "../config/types.ts";
import type { Call } from "../pipeline/call.ts";
import { callLabels } from "./call-labels.ts";
import type { Control } from "./observer.ts";

/** Bounds in seconds: those of the conventions for MCP, with finer ones below, where a gateway's own time shows. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The values of the gauge of breakers. */
const BREAKER_STATES = { closed: 0, "half-open": 1, open: 2 } as const;

/** The metrics of one gateway. */
export interface Metrics {
  began(): void;
  ended(call: Call, fault: Fault | undefined, durationMs: number): void;
  switched(control: Control, state: "away" | "back"): void;
  breaker(upstream: string, state: keyof typeof BREAKER_STATES): void;
  unexpected(where: string): void;
  /** The text for Prometheus; undefined where it is not served. */
  text(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Starts the metrics. Names and units follow the conventions of OpenTelemetry for MCP; Prometheus sees `_` for `.`. */
export function startMetrics({ telemetry, store }: GatewayConfig, resource: Resource): Metrics {
  const prometheus = telemetry.prometheus ? new PrometheusExporter({ preventServerStart: true }) : undefined;
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const readers = [
    ...(prometheus === undefined ? [] : [prometheus]),
    ...(telemetry.otlp === undefined
      ? []
      : [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter({ url: `${telemetry.otlp}/v1/metrics` }),
          }),
        ]),
  ];
  const provider = new MeterProvider({ resource, readers });
  const meter = provider.getMeter("@recourse/gateway");
  const durations = meter.createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "How long requests took, as the gateway saw it.",
    advice: { explicitBucketBoundaries: BOUNDS },
  });
  const faults = meter.createCounter("recourse.server.faults", {
    description: "Requests that were answered with a fault.",
  });
  let active = 0;
  meter
    .createObservableUpDownCounter("recourse.gateway.active_requests", { description: "Requests under way." })
    .addCallback((result) => result.observe(active));
  const switches = meter.createCounter("recourse.control.switches", {
    description: "How often a control went away or came back.",
  });
  const away = new Map<Control, number>();
  meter
    .createObservableGauge("recourse.control.away", {
      description: "1 while a control is away, and callers get its configured answer.",
    })
    .addCallback((result) => {
      for (const [control, value] of away) result.observe(value, { control });
    });
  const unexpected = meter.createCounter("recourse.gateway.unexpected", {
    description: "Exceptions that nobody expected. Each is a bug; the process goes on.",
  });
  const breakers = new Map<string, keyof typeof BREAKER_STATES>();
  meter
    .createObservableGauge("recourse.breaker.state", {
      description: "The circuit breaker of an upstream, as this process knows it: 0 closed, 1 half-open, 2 open.",
    })
    .addCallback((result) => {
      for (const [upstream, state] of breakers) {
        result.observe(BREAKER_STATES[state], { "recourse.upstream": upstream });
      }
    });
  meter
    .createObservableGauge("recourse.store", { description: "Where limits, keys and sessions are kept." })
    .addCallback((result) => result.observe(1, { mode: store.mode }));
  return {
    began() {
      active += 1;
    },
    ended(call, fault, durationMs) {
      const labels = callLabels(call, fault);
      active -= 1;
      durations.record(durationMs / 1_000, labels);
      if (fault !== undefined) faults.add(1, labels);
    },
    switched(control, state) {
      away.set(control, state === "away" ? 1 : 0);
      switches.add(1, { control, state });
    },
    breaker(upstream, state) {
      breakers.set(upstream, state);
    },
    unexpected: (where) => unexpected.add(1, { where }),
    async text() {
      if (prometheus === undefined) return undefined;
      const { resourceMetrics } = await prometheus.collect();
      return serializer.serialize(resourceMetrics);
    },
    close: () => provider.shutdown(),
  };
}
