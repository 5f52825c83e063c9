interface VirtualTimer {
  readonly at: number;
  readonly fire: () => void;
}

/** Options of a `VirtualClock`. */
interface VirtualClockOptions {
  /** Waits until everything that the last timer caused has happened. @default one turn of the event loop */
  readonly settled?: () => Promise<unknown>;
}

/** A clock whose time passes only in `run()`. Hours pass at once, and timers always fire in the same order. */
export class VirtualClock {
  #now = 0;
  readonly #timers: VirtualTimer[] = [];
  readonly #settled: () => Promise<unknown>;

  constructor({ settled = () => new Promise(setImmediate) }: VirtualClockOptions = {}) {
    this.#settled = settled;
  }

  readonly now = (): number => this.#now;
  readonly monotonic: () => number = this.now;

  /** Waits in virtual time. An abort rejects at once, as platform timers do. */
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const timer = this.at(this.#now + ms, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      const abort = () => {
        this.#timers.splice(this.#timers.indexOf(timer), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
    });

  /** Calls back at a time. */
  at(at: number, fire: () => void): VirtualTimer {
    const timer = { at, fire };
    // Timers for the same time fire in the order in which they were set.
    let index = this.#timers.length;
    while (index > 0 && (this.#timers[index - 1]?.at ?? 0) > at) index--;
    this.#timers.splice(index, 0, timer);
    return timer;
  }

  /** Lets this time pass, also if nothing waits for it. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    this.at(end, () => {});
    await this.run(end);
  }

  /** Lets time pass until no timer is left, or until a given time. */
  async run(untilMs = Number.POSITIVE_INFINITY): Promise<void> {
    for (;;) {
      // Everything that the last timer caused happens before the next timer fires.
      await this.#settled();
      const [timer] = this.#timers;
      if (timer === undefined || timer.at > untilMs) return;
      this.#timers.shift();
      this.#now = Math.max(this.#now, timer.at);
      timer.fire();
    }
  }
}
