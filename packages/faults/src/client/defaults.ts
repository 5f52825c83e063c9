// What the platform gives when nothing is handed in.
import { formatId } from "../fault/id.ts";

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

/** Bytes of one id, and for how many ids the platform is asked at once: asking costs more than all the rest of a call. */
const BYTES = 16;
const AT_ONCE = 64;

/** Makes ids from the time and the platform's randomness. */
export function createMint(now: () => number): () => string {
  const pool = new Uint8Array(BYTES * AT_ONCE);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    used += BYTES;
    return formatId(now(), pool.subarray(used - BYTES, used));
  };
}
