/** Limits how many tasks run at the same time. Others wait in the order in which they came. */
export interface Semaphore {
  /** Waits for a permit, and returns the function that releases it. Undefined when the queue is full. Rejects on abort. */
  acquire(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Options of a semaphore. */
export interface SemaphoreOptions {
  /** How many tasks may run at the same time. */
  readonly permits: number;
  /** How many tasks may wait. */
  readonly maxWaiting: number;
}

/** Makes a semaphore with a bounded queue: a task that could not run soon fails at once. */
export function createSemaphore({ permits, maxWaiting }: SemaphoreOptions): Semaphore {
  const queue = new Set<() => void>();
  let free = permits;

  function createRelease(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = queue;
      if (next === undefined) free += 1;
      else next();
    };
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return createRelease();
      }
      if (queue.size >= maxWaiting) return undefined;
      return new Promise((resolve, reject) => {
        const admit = () => {
          queue.delete(admit);
          signal.removeEventListener("abort", giveUp);
          resolve(createRelease());
        };
        const giveUp = () => {
          queue.delete(admit);
          reject(signal.reason);
        };
        queue.add(admit);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
