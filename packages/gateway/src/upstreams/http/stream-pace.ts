import { MESSAGE_BYTES, Pace } from "../pace.ts";

/** What one answer may bring beside the answer itself: notifications, comments, requests, and the cost of tiny pieces. */
const OF_ANSWER = { bytesPerSecond: 256 * 1_024, burstBytes: 1_024 * 1_024 };
/** The same for all answers of one upstream together. */
const OF_UPSTREAM = { bytesPerSecond: 1_024 * 1_024, burstBytes: 2 * 1_024 * 1_024, maxRestMs: 30_000 };
/** Up to here an answer does not wait because of the others. */
const FREE_BYTES = 16 * 1_024;
/** What an answer that had to wait for others may bring before it waits again: going on for each message would cost more than reading it. */
const TURN_BYTES = 32 * 1_024;
/** What a line costs at least. */
const LINE_BYTES = 16;
/** What a piece of a body costs at least. */
const PIECE_BYTES = 64;

/** The pace of all answers of one upstream. */
export function upstreamPace(now: () => number): Pace {
  return new Pace({ ...OF_UPSTREAM, now });
}

/** How fast one answer is read, beside the bytes that are held for it. */
export class StreamPace {
  readonly #own: Pace;
  readonly #shared: Pace;
  #counted = 0;
  /** What is counted already of the next bytes, by the turn that the answer waited for. */
  #prepaid = 0;
  /** Messages of this read. */
  #messages = 0;

  constructor(shared: Pace, now: () => number) {
    this.#own = new Pace({ ...OF_ANSWER, now });
    this.#shared = shared;
  }

  /** Counts a message of a stream of events; false where it is one too many, and only the answer is still of use. */
  takeMessage(): boolean {
    this.#messages += 1;
    this.#count(MESSAGE_BYTES);
    return !this.#mustRest;
  }

  /** Counts a read of a stream of events after its messages, without the bytes that are held until their event ends. */
  countRead(read: { readonly bytes: number; readonly lines: number }): void {
    const cost = Math.max(read.bytes, read.lines * LINE_BYTES) - this.#messages * MESSAGE_BYTES;
    this.#messages = 0;
    if (cost > 0) this.#count(cost);
  }

  /** Counts a piece of a body. Only tiny pieces cost: the body itself is what was asked for. */
  countPiece(bytes: number): void {
    if (bytes < PIECE_BYTES) this.#count(PIECE_BYTES - bytes);
  }

  /** How long to pause, in ms. Answers that wait for each other take turns, one after the other. */
  takeRest(): number {
    if (!this.#mustRest) return 0;
    if (this.#mustWaitForOthers) {
      this.#prepaid = TURN_BYTES;
      this.#shared.count(TURN_BYTES);
    }
    return Math.max(this.#own.restMs, this.#prepaid === TURN_BYTES ? this.#shared.restMs : 0);
  }

  get #mustRest(): boolean {
    return this.#counted > 0 && (this.#own.restMs > 0 || this.#mustWaitForOthers);
  }

  get #mustWaitForOthers(): boolean {
    return this.#prepaid === 0 && this.#counted > FREE_BYTES && this.#shared.restMs > 0;
  }

  #count(bytes: number): void {
    this.#counted += bytes;
    this.#own.count(bytes);
    const paid = Math.min(bytes, this.#prepaid);
    this.#prepaid -= paid;
    if (bytes > paid) this.#shared.count(bytes - paid);
  }
}
