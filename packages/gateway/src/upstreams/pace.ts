/** What a `Pace` allows. */
export interface PaceOptions {
  readonly bytesPerSecond: number;
  /** What may come at once after a quiet time. */
  readonly burstBytes: number;
  /** The longest pause: a single large message is not worth a longer one. @default 1_000 */
  readonly maxRestMs?: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** What a message costs at least: a short one is as much work as these bytes. */
export const MESSAGE_BYTES = 512;
/** Pausing and going on cost something too, so pauses are not shorter. */
const MIN_REST_MS = 50;

/**
 * How fast something is read that nobody asked for. The reader counts what it has read, and pauses for `restMs`; the writer
 * then waits as well, so a flood costs this process neither time nor memory.
 */
export class Pace {
  readonly #options: PaceOptions;
  #left: number;
  #countedMs: number;
  #floodMs: number | undefined = undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#left = options.burstBytes;
    this.#countedMs = options.now();
  }

  /** Counts bytes, and the messages in them. */
  count(bytes: number, messages = 0): void {
    this.#refill();
    const { bytesPerSecond, maxRestMs = 1_000 } = this.#options;
    const least = (-bytesPerSecond * maxRestMs) / 1_000;
    this.#left = Math.max(least, this.#left - Math.max(bytes, messages * MESSAGE_BYTES));
    if (this.#left < 0) this.#floodMs ??= this.#countedMs;
  }

  /** How long to pause, in ms; 0 where reading may go on. */
  get restMs(): number {
    this.#refill();
    if (this.#left >= 0) return 0;
    return Math.max(MIN_REST_MS, Math.ceil((-this.#left * 1_000) / this.#options.bytesPerSecond));
  }

  /** For how long more came than is allowed, without a quiet time in between, in ms. */
  get floodMs(): number {
    this.#refill();
    return this.#floodMs === undefined ? 0 : this.#countedMs - this.#floodMs;
  }

  #refill(): void {
    const { bytesPerSecond, burstBytes, now } = this.#options;
    const nowMs = now();
    this.#left = Math.min(burstBytes, this.#left + ((nowMs - this.#countedMs) * bytesPerSecond) / 1_000);
    this.#countedMs = nowMs;
    if (this.#left >= burstBytes / 2) this.#floodMs = undefined;
  }
}
