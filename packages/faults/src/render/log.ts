import type { Fault } from "../fault/fault.ts";

/** Longer values are cut. */
const MAX_VALUE_LENGTH = 2_000;

/** The line for a log: `key=value` pairs in an order that never changes. */
export function renderLog(fault: Fault): string {
  return logPairs({
    kind: fault.kind,
    class: fault.class,
    reason: fault.reason,
    effect: fault.effect,
    next: fault.recourse.map((move) => move.do).join(","),
    after_ms: fault.recourse[0].afterMs,
    origin: fault.origin.layer,
    name: fault.origin.name,
    basis: fault.basis,
    attempts: fault.tried?.attempts,
    elapsed_ms: fault.tried?.elapsedMs,
    stopped: fault.tried?.stopped,
    issues: fault.issues?.length,
    cause: fault.cause?.reason,
    incident: fault.incident,
    request_id: fault.requestId,
    trace: fault.trace,
    message: fault.message,
    quote: fault.quote?.text,
  });
}

/** `key=value` pairs, without those that have no value. */
export function logPairs(pairs: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(pairs)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${quoteIfNeeded(String(value).slice(0, MAX_VALUE_LENGTH))}`)
    .join(" ");
}

/** The value itself, or a JSON string if it could be mistaken for another pair. */
function quoteIfNeeded(value: string): string {
  return /^[\w.,:/-]+$/.test(value) ? value : JSON.stringify(value);
}
