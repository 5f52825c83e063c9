import type { PendingBounds } from "./approvals.ts";

/** An approval that waits for a decision. */
export interface Waiting {
  /** How long its arguments are. */
  readonly bytes: number;
  /** How long it waits before it expires, in ms. */
  readonly leftMs: number;
}

/** Which bound is reached, and how long until there is room. */
export interface Full {
  readonly of: keyof PendingBounds;
  readonly waitMs: number;
}

/** Which bound keeps a caller from asking for one more approval, and until when; undefined where it may ask. */
export function waitFor(waiting: readonly Waiting[], newBytes: number, bounds: PendingBounds): Full | undefined {
  let calls = waiting.length + 1;
  let bytes = waiting.reduce((sum, one) => sum + one.bytes, newBytes);
  const isFull = () => calls > bounds.calls || bytes > bounds.bytes;
  if (!isFull()) return undefined;
  const of = calls > bounds.calls ? "calls" : "bytes";
  let waitMs = 1;
  for (const one of waiting.toSorted((a, b) => a.leftMs - b.leftMs)) {
    calls -= 1;
    bytes -= one.bytes;
    waitMs = Math.max(1, Math.ceil(one.leftMs));
    if (!isFull()) break;
  }
  return { of, waitMs };
}
