import type { Fault } from "../fault/fault.ts";
import { classOf, knownKind } from "../fault/kinds.ts";
import { type Attributes, faultAttributes, type Operation } from "./attributes.ts";

/** What is needed of a span of OpenTelemetry. */
export interface SpanLike {
  setAttributes(attributes: Record<string, string>): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  addEvent(name: string, attributes?: Record<string, string>): unknown;
}

/** What is needed of `@opentelemetry/api`. */
export interface OtelApi {
  readonly trace: { getActiveSpan(): SpanLike | undefined };
}

/** What is needed of an incident. */
export interface Observed extends Operation {
  readonly fault: Fault;
}

/** `SpanStatusCode.ERROR`. */
const ERROR = 2;

/**
 * A sink that writes each failure on the active span: attributes, one event `fault`, and the status ERROR.
 * On a server's span a JSON-RPC error for a mistake of the caller leaves the status unset, since the server did its job.
 * Neither what was thrown nor any text but the fault's own message goes there, and it never throws.
 */
export function otelSink(
  api: OtelApi,
  options: { readonly system?: "server" | "client" } = {},
): (observed: Observed) => void {
  return (observed) => {
    try {
      const operation = { ...observed, system: observed.system ?? options.system ?? "server" };
      const span = api.trace.getActiveSpan();
      if (span !== undefined) record(span, observed.fault, operation);
    } catch {
      // Telemetry must never break what it observes.
    }
  };
}

function record(span: SpanLike, fault: Fault, operation: Operation): void {
  const attributes: Attributes = faultAttributes(fault, operation);
  span.setAttributes({ ...attributes });
  span.addEvent("fault", { ...attributes });
  if (isFailure(fault, operation)) span.setStatus({ code: ERROR, message: fault.message });
}

/** Whether the operation of the span itself failed. */
function isFailure(fault: Fault, { system, isError }: Operation): boolean {
  if (system === "client" || isError === true) return true;
  const group = classOf(fault);
  return group !== "validation" && group !== "permission" && knownKind(fault) !== "not_found";
}
