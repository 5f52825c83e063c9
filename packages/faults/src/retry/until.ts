/** Nobody wants the result any more. */
export const ABORTED: unique symbol = Symbol("aborted");

/**
 * The result of some work, or ABORTED as soon as the signal aborts, whether or not the work heeds it.
 * What the work does afterwards is ignored.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | typeof ABORTED> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => resolve(ABORTED);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
