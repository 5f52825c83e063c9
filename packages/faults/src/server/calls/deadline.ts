/** Time ran out. */
export const LATE: unique symbol = Symbol("late");

/** What a race against a deadline needs. */
export interface Race<T> {
  readonly limitMs: number;
  /** Ends the wait when nobody is interested any more. */
  readonly signal?: AbortSignal | undefined;
  /** Called with whatever comes after the deadline. */
  readonly onLate: () => void;
  /** The work; it may ask whether it is still waited for. */
  readonly run: (isLate: () => boolean) => Promise<T>;
}

/** The result, or LATE when it does not come in time; a late result or throw is told to `onLate` and goes no further. */
export async function withDeadline<T>({ limitMs, signal, onLate, run }: Race<T>): Promise<T | typeof LATE> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), limitMs);
    signal?.addEventListener("abort", () => resolve(LATE), { once: true });
  });
  const work = run(() => isLate);
  work.then(
    () => isLate && onLate(),
    () => isLate && onLate(),
  );
  try {
    const first = await Promise.race([work, late]);
    isLate = first === LATE;
    return first;
  } finally {
    clearTimeout(timer);
  }
}
