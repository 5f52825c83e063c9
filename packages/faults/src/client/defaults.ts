// What the platform gives when nothing is handed in.
import { createIdBytes, formatId } from "../fault/id.ts";

/** Waits; an abort rejects at once and lets go of the timer. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Makes ids from the time and the platform's randomness. */
export function createMint(now: () => number): () => string {
  const random = createIdBytes((block) => crypto.getRandomValues(block));
  return () => formatId(now(), random());
}
