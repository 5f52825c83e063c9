/** Lets so many in at a time; the others wait in the order in which they came. */
export interface Gate {
  /** Waits for a place and gives the function that frees it; undefined when too many wait already. Rejects on abort. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Makes a gate with a bounded queue: who cannot be served soon should hear so now. */
export function createGate({ places, waiting }: { readonly places: number; readonly waiting: number }): Gate {
  const queue = new Set<() => void>();
  let free = places;

  function leave(): () => void {
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      const [next] = queue;
      if (next === undefined) free += 1;
      else next();
    };
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return leave();
      }
      if (queue.size >= waiting) return undefined;
      return new Promise((resolve, reject) => {
        const admit = () => {
          queue.delete(admit);
          signal.removeEventListener("abort", giveUp);
          resolve(leave());
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
