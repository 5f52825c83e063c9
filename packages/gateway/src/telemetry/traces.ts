import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { Resource } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Fault } from "@recourse/core";
import { faultAttributes } from "@recourse/core/telemetry";
import type { Call } from "../call/call.ts";
import { callLabels, methodLabel, toolLabel } from "./call-labels.ts";

/** Spans of one gateway. */
export interface Traces {
  /** The `traceparent` for the next hop. */
  next(call: Call): string | undefined;
  ended(call: Call, fault: Fault | undefined): void;
  close(): Promise<void>;
}

const CALLER_TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The trace that the caller names: in `_meta`, else in the header. */
function callerTrace({ message, origin }: Call): string | undefined {
  const stated = message?.meta?.["traceparent"] ?? origin.head.header("traceparent");
  return typeof stated === "string" && CALLER_TRACEPARENT.test(stated) ? stated : undefined;
}

/** Without an exporter the trace of the caller passes through as it is. */
export const PASSING_TRACES: Traces = { next: callerTrace, ended: () => {}, close: async () => {} };

export function startTraces(otlp: string, resource: Resource): Traces {
  const exporter = new OTLPTraceExporter({ url: `${otlp}/v1/traces` });
  const provider = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const tracer = provider.getTracer("@recourse/gateway");
  const spans = new WeakMap<Call, Span>();
  const spanOf = (call: Call): Span => {
    const known = spans.get(call);
    if (known !== undefined) return known;
    const options = { kind: SpanKind.SERVER, startTime: Date.now() - (performance.now() - call.startedMs) };
    const span = tracer.startSpan(methodLabel(call), options, parentContext(call));
    spans.set(call, span);
    return span;
  };
  return {
    next(call) {
      const { traceId, spanId, traceFlags } = spanOf(call).spanContext();
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    },
    ended(call, fault) {
      const span = spanOf(call);
      const tool = toolLabel(call);
      span.updateName(tool === undefined ? methodLabel(call) : `tools/call ${tool}`);
      span.setAttributes({ ...callLabels(call, fault).all });
      if (fault !== undefined) {
        span.setAttributes({ ...faultAttributes(fault, { method: methodLabel(call), tool }) });
        span.setStatus({ code: SpanStatusCode.ERROR, message: fault.message });
      }
      span.end();
    },
    close: () => provider.shutdown(),
  };
}

function parentContext(call: Call): Context {
  const [, traceId = "", spanId = "", flags = "00"] = CALLER_TRACEPARENT.exec(callerTrace(call) ?? "") ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  if (traceId === "") return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
