import type { Readable } from "node:stream";
import { Pace } from "../pace.ts";
import type { LineSplitter } from "./lines.ts";

/** What a stream of a child may bring that nobody waits for: notifications, requests, log lines, anything. */
const UNASKED = { bytesPerSecond: 1_024 * 1_024, burstBytes: 2 * 1_024 * 1_024 };
/** Dropped bytes of an endless line cost a small part of those that are read as messages. */
const DROPPED_SHARE = 32;
/** Options of `PacedReading`. */
export interface PacedReadingOptions {
  readonly stream: Readable;
  readonly splitter: LineSplitter;
  /** Monotonic time in ms. */
  readonly now: () => number;
  /** Something could not be read. */
  readonly onUnreadable: (error: unknown) => void;
  /** What happens when the stream has brought more than it may for so long. @default the child only has to wait */
  readonly flood?: { readonly afterMs: number; readonly run: () => void };
}

/** Reads a stream of a child line by line. While more comes than it may, the stream is not read, so the child waits. */
export class PacedReading {
  readonly #options: PacedReadingOptions;
  readonly #pace: Pace;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(options: PacedReadingOptions) {
    this.#options = options;
    this.#pace = new Pace({ ...UNASKED, now: options.now });
    const { stream } = options;
    stream.on("data", (piece: Buffer) => this.#read(piece));
    stream.once("close", () => clearTimeout(this.#timer));
  }

  /** Counts a message that nobody waits for. */
  countUnasked(bytes: number): void {
    this.#pace.count(bytes, 1);
  }

  #read(piece: Buffer): void {
    const { stream, splitter, flood, onUnreadable } = this.#options;
    const dropped = splitter.droppedBytes;
    try {
      splitter.push(piece);
    } catch (error) {
      onUnreadable(error);
      return;
    }
    const more = splitter.droppedBytes - dropped;
    if (more > 0) this.#pace.count(more / DROPPED_SHARE);
    const { restMs } = this.#pace;
    if (restMs === 0) return;
    stream.pause();
    this.#timer = setTimeout(() => stream.resume(), restMs);
    if (flood !== undefined && this.#pace.floodMs > flood.afterMs) flood.run();
  }
}
