/** A child that lived this long has not crashed because of its start. */
const STABLE_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/** When a child may be started again. After one crash at once, after more in a row later and later. */
export class BackOff {
  readonly #now: () => number;
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  /** @param now Monotonic time in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long to wait before the next start, in ms. */
  get restMs(): number {
    return Math.max(0, this.#notBefore - this.#now());
  }

  /** A child has ended, or could not be started, after this time. */
  failed(livedMs: number): void {
    this.#failures = livedMs >= STABLE_MS ? 1 : this.#failures + 1;
    const pauseMs = this.#failures < 2 ? 0 : FIRST_PAUSE_MS * 2 ** (this.#failures - 2);
    this.#notBefore = this.#now() + Math.min(pauseMs, MAX_PAUSE_MS);
  }
}
