import type { OperationSpan } from "../incidents/telemetry.ts";
import { signalOf } from "../sdk/context.ts";

/** Each request has a signal of its own, however often the SDK copies the rest of its context. */
const spans = new WeakMap<AbortSignal, OperationSpan>();

/** Remembers the span of a request, for a failure that is found out later. */
export function rememberSpan(context: unknown, span: OperationSpan): void {
  const signal = signalOf(context);
  if (signal !== undefined) spans.set(signal, span);
}

/** The span of a request; undefined where requests are not traced. */
export function spanOf(context: unknown): OperationSpan | undefined {
  const signal = signalOf(context);
  return signal === undefined ? undefined : spans.get(signal);
}
