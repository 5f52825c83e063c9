// Faults as telemetry: attributes for whatever you use, and a sink for OpenTelemetry, of which only the shape is known here.

export { type Attributes, faultAttributes, metricAttributes, type Operation } from "./attributes.ts";
export { type Observed, type OtelApi, otelSink, type SpanLike } from "./otel.ts";
