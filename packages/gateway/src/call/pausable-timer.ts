/** Time that stops while the gateway waits for a person. It continues when `resume` was called as often as `pause`. */
export interface PausableClock {
  pause(): void;
  resume(): void;
}

/** A timer whose time can stop. */
export class PausableTimer implements PausableClock {
  readonly #run: () => void;
  readonly #now: () => number;
  #leftMs: number;
  #startedMs = 0;
  #timer: NodeJS.Timeout | undefined = undefined;
  #pauses = 0;
  #isOver = false;

  /** Starts at once. `now` is a monotonic clock in ms. */
  constructor(ms: number, run: () => void, now: () => number) {
    this.#leftMs = Math.max(0, ms);
    this.#run = run;
    this.#now = now;
    this.#start();
  }

  /** The time stops until `resume` was called as often. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#isOver) return;
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (this.#now() - this.#startedMs));
  }

  /** The time continues. */
  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#isOver) this.#start();
  }

  /** Nothing runs any more. */
  clear(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedMs = this.#now();
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#run();
    }, this.#leftMs);
  }
}
