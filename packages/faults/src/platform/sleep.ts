/** The longest delay of a timer. A longer one would fire at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Waits. An abort rejects at once and clears the timer. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
