// Telemetry: attributes of faults for any library, and traces, metrics and a sink for OpenTelemetry, which does not have to be
// installed.

export type { FailedAnswer, OperationSpan, Telemetry, TracedOperation } from "../incidents/telemetry.ts";
export { type Attributes, type FailedOperation, faultAttributes, metricAttributes } from "./attributes.ts";
export { type OpenTelemetryOptions, openTelemetry } from "./open-telemetry.ts";
export { type FailureRecord, type OtelApi, type OtelSinkOptions, otelSink, type SpanLike } from "./otel.ts";
export type {
  OpenTelemetryApi,
  OtelAttributes,
  OtelMeter,
  OtelSpan,
  OtelSpanContext,
  OtelSpanOptions,
} from "./otel-api.ts";
