// Traces and metrics for OpenTelemetry, which does not have to be installed, and faults as attributes.
export type {
  Attributes,
  Clock,
  FailedAnswer,
  OpenTelemetryApi,
  OpenTelemetryOptions,
  OperationSpan,
  OtelApi,
  OtelAttributes,
  OtelMeter,
  OtelSinkOptions,
  OtelSpan,
  OtelSpanContext,
  OtelSpanOptions,
  Random,
  SpanLike,
  Telemetry,
  TestingOptions,
  TracedOperation,
} from "@recourse/core/telemetry";
export { faultAttributes, openTelemetry, otelSink } from "@recourse/core/telemetry";
