import type { Readable } from "node:stream";
import type { LineReader } from "@recourse/core/wire";

interface PaceOptions {
  readonly bytesPerSecond: number;
  /** What may come at once after a quiet time. */
  readonly burstBytes: number;
  /** The longest pause: a single large message is not worth a longer one. @default 1_000 */
  readonly maxRestMs?: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** What a message costs at least: a short one is as much work as these bytes. */
const MESSAGE_BYTES = 512;
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

/** What one answer may bring beside the answer itself: notifications, comments, requests, and the cost of tiny pieces. */
const ANSWER_PACE = { bytesPerSecond: 256 * 1_024, burstBytes: 1_024 * 1_024 };
/** The same for all answers of one upstream together. */
const UPSTREAM_PACE = { bytesPerSecond: 1_024 * 1_024, burstBytes: 2 * 1_024 * 1_024, maxRestMs: 30_000 };
/** Up to here an answer does not wait because of the others. */
const FREE_BYTES = 16 * 1_024;
/** What an answer that had to wait for others may bring before it waits again: going on for each message would cost more than reading it. */
const TURN_BYTES = 32 * 1_024;
/** What a line costs at least. */
const LINE_BYTES = 16;
/** What a piece of a body costs at least. */
const MIN_PIECE_BYTES = 64;

export function upstreamPace(now: () => number): Pace {
  return new Pace({ ...UPSTREAM_PACE, now });
}

/** How fast one answer is read, beside the bytes that are held for it. */
export class StreamPace {
  /** Made when something is counted: most answers bring nothing else. */
  #own: Pace | undefined = undefined;
  readonly #shared: Pace;
  readonly #now: () => number;
  #counted = 0;
  /** What is counted already of the next bytes, by the turn for which the answer had to wait. */
  #prepaid = 0;
  #messages = 0;

  constructor(shared: Pace, now: () => number) {
    this.#shared = shared;
    this.#now = now;
  }

  /** Counts a message of a stream of events; false if it is one too many, and only the answer still matters. */
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
    if (bytes < MIN_PIECE_BYTES) this.#count(MIN_PIECE_BYTES - bytes);
  }

  /** How long to pause, in ms. Answers that wait for each other take turns, one after the other. */
  takeRest(): number {
    if (!this.#mustRest) return 0;
    if (this.#mustWaitForOthers) {
      this.#prepaid = TURN_BYTES;
      this.#shared.count(TURN_BYTES);
    }
    return Math.max(this.#ownRestMs, this.#prepaid === TURN_BYTES ? this.#shared.restMs : 0);
  }

  get #mustRest(): boolean {
    return this.#ownRestMs > 0 || this.#mustWaitForOthers;
  }

  get #ownRestMs(): number {
    return this.#own?.restMs ?? 0;
  }

  get #mustWaitForOthers(): boolean {
    return this.#prepaid === 0 && this.#counted > FREE_BYTES && this.#shared.restMs > 0;
  }

  #count(bytes: number): void {
    this.#counted += bytes;
    this.#own ??= new Pace({ ...ANSWER_PACE, now: this.#now });
    this.#own.count(bytes);
    const paid = Math.min(bytes, this.#prepaid);
    this.#prepaid -= paid;
    if (bytes > paid) this.#shared.count(bytes - paid);
  }
}

/** What a stream of a child may bring that nobody waits for: notifications, requests, log lines, anything. */
const CHILD_PACE = { bytesPerSecond: 1_024 * 1_024, burstBytes: 2 * 1_024 * 1_024 };
/** Dropped bytes of an endless line cost a small part of those that are read as messages. */
const DROPPED_SHARE = 32;
interface PacedReadingOptions {
  readonly stream: Readable;
  readonly lines: LineReader;
  /** Monotonic time in ms. */
  readonly now: () => number;
  /** Something could not be read. */
  readonly onUnreadable: (error: unknown) => void;
  /** What happens when the stream has brought more than it may for this long. @default the child only has to wait */
  readonly flood?: { readonly afterMs: number; readonly run: () => void };
}

/** Reads a stream of a child line by line. While more comes than it may, the stream is not read, so the child waits. */
export class PacedReading {
  readonly #options: PacedReadingOptions;
  readonly #pace: Pace;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(options: PacedReadingOptions) {
    this.#options = options;
    this.#pace = new Pace({ ...CHILD_PACE, now: options.now });
    const { stream } = options;
    stream.on("data", (piece: Buffer) => this.#read(piece));
    stream.once("close", () => clearTimeout(this.#timer));
  }

  /** Counts a message that nobody waits for. */
  countUnasked(bytes: number): void {
    this.#pace.count(bytes, 1);
  }

  #read(piece: Buffer): void {
    const { stream, lines, flood, onUnreadable } = this.#options;
    const dropped = lines.excessBytes;
    try {
      lines.push(piece);
    } catch (error) {
      onUnreadable(error);
      return;
    }
    const more = lines.excessBytes - dropped;
    if (more > 0) this.#pace.count(more / DROPPED_SHARE);
    const { restMs } = this.#pace;
    if (restMs === 0) return;
    stream.pause();
    this.#timer = setTimeout(() => stream.resume(), restMs);
    if (flood !== undefined && this.#pace.floodMs > flood.afterMs) flood.run();
  }
}
