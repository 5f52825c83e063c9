interface AllowanceOptions {
  readonly bytesPerSecond: number;
  /** What may come at once after a quiet time. */
  readonly burstBytes: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** What a message costs at least: a short one is as much work as these bytes. */
const MESSAGE_BYTES = 512;
/** What a line of a stream of events costs at least. */
const LINE_BYTES = 16;
/** What a piece of a body costs at least. */
const PIECE_BYTES = 64;

/** What one answer, or one stream of a child, may bring that nobody asked for. Who sends more is cut off. */
export const UNASKED = { bytesPerSecond: 1_024 * 1_024, burstBytes: 4 * 1_024 * 1_024 } as const;

/** A token bucket of bytes. */
export class Allowance {
  readonly #options: AllowanceOptions;
  #left: number;
  #countedMs: number;

  constructor(options: AllowanceOptions) {
    this.#options = options;
    this.#left = options.burstBytes;
    this.#countedMs = options.now();
  }

  /** Counts bytes; false if they are more than is allowed. */
  take(bytes: number): boolean {
    const { bytesPerSecond, burstBytes, now } = this.#options;
    const nowMs = now();
    const grown = ((nowMs - this.#countedMs) * bytesPerSecond) / 1_000;
    this.#countedMs = nowMs;
    this.#left = Math.min(burstBytes, this.#left + grown);
    if (this.#left < bytes) return false;
    this.#left -= bytes;
    return true;
  }

  takeMessage(bytes = 0): boolean {
    return this.take(Math.max(bytes, MESSAGE_BYTES));
  }

  /** Counts a read of a stream of events, beside its messages and what is held of it. */
  takeRead({ bytes, lines }: { readonly bytes: number; readonly lines: number }): boolean {
    return this.take(Math.max(0, bytes, lines * LINE_BYTES));
  }

  /** Counts a piece of a body. Only tiny pieces cost: the body itself is what was asked for. */
  takePiece(bytes: number): boolean {
    return bytes >= PIECE_BYTES || this.take(PIECE_BYTES - bytes);
  }
}
