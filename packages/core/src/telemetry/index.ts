// Telemetry: attributes of faults for any library, and traces, metrics and a sink for OpenTelemetry, which does not have to be
// installed.

export type { FailedAnswer, OperationSpan, Telemetry, TracedOperation } from "../incidents/incident.ts";
export type { Clock, Random, TestingOptions } from "../wire/clock.ts";
export { type Attributes, type FailedOperation, faultAttributes, metricAttributes } from "./attributes.ts";
export { type OpenTelemetryOptions, openTelemetry } from "./open-telemetry.ts";
export type {
  OpenTelemetryApi,
  OtelAttributes,
  OtelMeter,
  OtelSpan,
  OtelSpanContext,
  OtelSpanOptions,
} from "./otel.ts";
export { type OtelApi, type OtelSinkOptions, otelSink, type SpanLike } from "./otel.ts";
