// The parts of `@opentelemetry/api` that are used, by their shape (the package does not have to be installed), and a sink for the active span.

import type { Fault } from "../fault/fault.ts";
import { shouldReport } from "../fault/severity.ts";
import type { Sink } from "../incidents/incident.ts";
import { type Attributes, type FailedOperation, faultAttributes } from "./attributes.ts";

/** Attributes of a span or a metric. */
export type OtelAttributes = Record<string, string | number>;

/** Identifies a span across processes. */
export interface OtelSpanContext {
  /** The id of the trace, 32 hex digits. */
  readonly traceId: string;
  /** The id of the span, 16 hex digits. */
  readonly spanId: string;
  /** The W3C trace flags. */
  readonly traceFlags: number;
}

/** A span of OpenTelemetry. */
export interface OtelSpan {
  /** Identifies the span. */
  spanContext(): OtelSpanContext;
  /** Adds attributes. */
  setAttributes(attributes: OtelAttributes): unknown;
  /** Sets the status. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Changes the name. */
  updateName(name: string): unknown;
  /** Ends the span. */
  end(): void;
}

/** Options of a new span. */
export interface OtelSpanOptions {
  /** A `SpanKind`. @default internal */
  readonly kind?: number;
  /** Its first attributes. @default none */
  readonly attributes?: OtelAttributes;
  /** Spans that it is related to. @default none */
  readonly links?: { readonly context: OtelSpanContext }[];
}

/** A meter of OpenTelemetry. */
export interface OtelMeter {
  /** Creates a histogram. */
  createHistogram(name: string, options: object): { record(value: number, attributes: OtelAttributes): void };
  /** Creates a counter. */
  createCounter(name: string, options: object): { add(value: number, attributes: OtelAttributes): void };
}

/** The part of `@opentelemetry/api` that `openTelemetry` needs. */
export interface OpenTelemetryApi {
  /** Creates spans. */
  readonly trace: {
    /** The tracer of a library. */
    getTracer(name: string): { startSpan(name: string, options?: OtelSpanOptions, context?: object): OtelSpan };
    /** The span that is active in a context. */
    getSpan(context: object): { spanContext(): OtelSpanContext } | undefined;
    /** A context in which a span is active. */
    setSpan(context: object, span: OtelSpan): object;
  };
  /** Keeps the active context. */
  readonly context: {
    /** The context that is active now. */
    active(): object;
    /** Runs a function in a context. */
    with(context: object, run: () => unknown): unknown;
  };
  /** Passes contexts between processes. */
  readonly propagation: {
    /** Writes a context into a carrier. */
    inject(context: object, carrier: object): void;
    /** Reads a context from a carrier. */
    extract(context: object, carrier: object): object;
  };
  /** Creates metrics. */
  readonly metrics: {
    /** The meter of a library. */
    getMeter(name: string): OtelMeter;
  };
}

/** The methods that `otelSink` needs of an OpenTelemetry span. */
export interface SpanLike {
  /** Adds attributes to the span. */
  setAttributes(attributes: Record<string, string>): unknown;
  /** Sets the status of the span. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Adds an event to the span. */
  addEvent(name: string, attributes?: Record<string, string>): unknown;
}

/** The part of `@opentelemetry/api` that `otelSink` needs. */
export interface OtelApi {
  /** Gives access to the active span. */
  readonly trace: { getActiveSpan(): SpanLike | undefined };
}

/** Options of `otelSink`. */
export interface OtelSinkOptions {
  /** Which side records the failures. @default "server" */
  readonly side?: "server" | "client";
}

/** `SpanStatusCode.ERROR` of OpenTelemetry. */
export const STATUS_ERROR = 2;

/**
 * A sink that records each failure on the active span: attributes, an event `fault`, and the status ERROR. On the span of a
 * server the status stays unset if a JSON-RPC error answers a mistake of the caller, since the server did its job.
 * Thrown errors are never recorded, and no text but the message of the fault. The sink never throws.
 *
 * @example
 * import * as api from "@opentelemetry/api";
 * guard(server, { sink: otelSink(api) });
 */
export function otelSink(api: OtelApi, options: OtelSinkOptions = {}): Sink {
  const { side = "server" } = options;
  return (incident) => {
    try {
      const span = api.trace.getActiveSpan();
      if (span !== undefined) recordOnSpan(span, incident.fault, { ...incident, side });
    } catch {
      // Telemetry must never break what it observes.
    }
  };
}

function recordOnSpan(span: SpanLike, fault: Fault, operation: FailedOperation): void {
  const attributes: Attributes = faultAttributes(fault, operation);
  span.setAttributes({ ...attributes });
  span.addEvent("fault", { ...attributes });
  if (hasFailed(fault, operation)) span.setStatus({ code: STATUS_ERROR, message: fault.message });
}

function hasFailed(fault: Fault, { side, isError }: FailedOperation): boolean {
  if (side === "client" || isError === true) return true;
  return shouldReport(fault, { textHidden: false });
}
