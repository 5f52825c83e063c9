/** Lets a limited number of tasks run at a time. Others wait in turn, and are turned away when too many wait. */
export class Turns {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ max, maxWaiting }: { readonly max: number; readonly maxWaiting: number }) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs a task in its turn. It rejects at once where too many wait. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#max) {
      if (this.#waiting.length >= this.#maxWaiting) throw new Error("too many look-ups wait");
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      // The turn passes on to the next task, so the number that runs stays the same.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
