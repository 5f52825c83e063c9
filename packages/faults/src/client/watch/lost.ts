import { type Attempt, seenOfAttempt } from "./attempts.ts";
import type { Seen } from "./watched.ts";

/** Resolves when an attempt is over without an answer, after a grace for the SDK to deliver what it has. */
export function untilLost(attempt: Attempt, options: { signal: AbortSignal; graceMs: number }): Promise<Seen> {
  const { signal, graceMs } = options;
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;

    function look(): void {
      // A later exchange may have begun in the meantime; then there is nothing to look at.
      const seen = attempt.isLost?.() === true ? seenOfAttempt(attempt) : undefined;
      if (seen === undefined) return;
      stop();
      resolve(seen);
    }

    function hear(): void {
      clearTimeout(timer);
      timer = setTimeout(look, graceMs);
    }

    function abort(): void {
      stop();
      reject(signal.reason);
    }

    function stop(): void {
      clearTimeout(timer);
      attempt.listeners.delete(hear);
      signal.removeEventListener("abort", abort);
    }

    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    attempt.listeners.add(hear);
    if (attempt.isLost !== undefined) hear();
  });
}
