// Telemetry: attributes of faults for any library, and a sink for OpenTelemetry, which does not have to be installed.

export { type Attributes, type FailedOperation, faultAttributes, metricAttributes } from "./attributes.ts";
export { type FailureRecord, type OtelApi, type OtelSinkOptions, otelSink, type SpanLike } from "./otel.ts";
