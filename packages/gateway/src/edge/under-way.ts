/** Requests that are not answered yet, so that a server can wait for them before it stops. */
export class UnderWay<T> implements Iterable<T> {
  readonly #all = new Set<T>();
  #onIdle: (() => void) | undefined;

  get size(): number {
    return this.#all.size;
  }

  add(one: T): void {
    this.#all.add(one);
  }

  /** It is answered. */
  delete(one: T): void {
    this.#all.delete(one);
    if (this.size === 0) this.#onIdle?.();
  }

  /** Waits until nothing is under way, or the signal is aborted. */
  idle(signal: AbortSignal): Promise<void> {
    if (this.size === 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#all[Symbol.iterator]();
  }
}
