import type { Fault } from "../fault/fault.ts";
import { shouldReport } from "../fault/should-report.ts";
import { type Attributes, type FailedOperation, faultAttributes } from "./attributes.ts";

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

/** What `otelSink` needs of an incident. */
export interface FailureRecord extends FailedOperation {
  /** The fault as the caller got it. */
  readonly fault: Fault;
}

/** Options of `otelSink`. */
export interface OtelSinkOptions {
  /** Which side records the failures. @default "server" */
  readonly side?: "server" | "client";
}

/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const STATUS_ERROR = 2;

/**
 * A sink that records each failure on the active span: attributes, an event `fault`, and the status ERROR. On the span of a
 * server the status stays unset if a JSON-RPC error answers a mistake of the caller, since the server did its job.
 * Thrown errors are never recorded, and no text but the message of the fault. The sink never throws.
 *
 * @example
 * import * as api from "@opentelemetry/api";
 * guard(server, { sink: otelSink(api) });
 */
export function otelSink(api: OtelApi, options: OtelSinkOptions = {}): (failure: FailureRecord) => void {
  return (failure) => {
    try {
      const operation = { ...failure, side: failure.side ?? options.side ?? "server" };
      const span = api.trace.getActiveSpan();
      if (span !== undefined) recordOnSpan(span, failure.fault, operation);
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

/** Whether the operation of the span failed. */
function hasFailed(fault: Fault, { side, isError }: FailedOperation): boolean {
  if (side === "client" || isError === true) return true;
  return shouldReport(fault, { textHidden: false });
}
