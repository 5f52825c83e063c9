/** Counts the calls that are under way, so that the last one can be waited for. */
export class Running {
  #count = 0;
  #empty: PromiseWithResolvers<void> | undefined;

  get count(): number {
    return this.#count;
  }

  /** Counts one call while it runs. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await run();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#empty?.resolve();
    }
  }

  /** Resolves when none is under way. */
  async drained(): Promise<void> {
    if (this.#count === 0) return;
    this.#empty ??= Promise.withResolvers();
    await this.#empty.promise;
    this.#empty = undefined;
  }
}
