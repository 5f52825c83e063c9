// The parts of `@opentelemetry/api` that are used, by their shape: the package does not have to be installed.

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
