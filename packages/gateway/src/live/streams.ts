import type { LiveRing } from "./ring.ts";

/** What one stream needs. */
export interface LiveStreamOptions {
  /** The id of the last event that its reader has. @default it is a new reader */
  readonly lastEventId?: string | undefined;
  /** Whether the operator may still read it. */
  readonly recheck: () => Promise<boolean>;
  /** Ends the connection without waiting for what was not read. */
  readonly destroy: () => void;
}

/** How many streams a process has at one moment. */
const MAX_LIVE_STREAMS = 256;
/** A reader that has left so much unread is too slow. */
const MAX_UNSENT_BYTES = 1_024 * 1_024;
const MAX_REPLAY_BYTES = MAX_UNSENT_BYTES / 2;
const COMMENT_MS = 15_000;
const STREAM_RECHECK_MS = 30_000;

const COMMENT = Buffer.from(":\n\n");
/** The first words: how long a browser waits before it comes again. */
const HELLO = Buffer.from("retry: 1000\n:\n\n");
/** What was before is not known any more, so that the reader has to ask for everything. */
const RESET = Buffer.from("event: reset\ndata: {}\n\n");

interface OpenLiveStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly timers: readonly NodeJS.Timeout[];
  readonly destroy: () => void;
}

/** Times of streams that tests shorten. */
export interface LiveStreamTimes {
  /** How often a stream without events says something. @default 15_000 */
  readonly commentMs?: number;
  /** How often it is asked whether the operator may still read. @default 30_000 */
  readonly recheckMs?: number;
}

/** The streams of operators at this process. */
export class LiveStreams {
  readonly #ring: LiveRing;
  readonly #times: Required<LiveStreamTimes>;
  readonly #open = new Set<OpenLiveStream>();
  #isClosed = false;

  constructor(ring: LiveRing, { commentMs = COMMENT_MS, recheckMs = STREAM_RECHECK_MS }: LiveStreamTimes = {}) {
    this.#ring = ring;
    this.#times = { commentMs, recheckMs };
  }

  get hasRoom(): boolean {
    return !this.#isClosed && this.#open.size < MAX_LIVE_STREAMS;
  }

  /** Opens a stream; undefined if there is no room for it. */
  open({ lastEventId, recheck, destroy }: LiveStreamOptions): ReadableStream<Uint8Array> | undefined {
    if (!this.hasRoom) return undefined;
    let stream: OpenLiveStream | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const own: OpenLiveStream = {
            controller,
            destroy,
            timers: [
              setInterval(() => this.#write(own, COMMENT), this.#times.commentMs).unref(),
              setInterval(() => void this.#recheck(own, recheck), this.#times.recheckMs).unref(),
            ],
          };
          stream = own;
          this.#open.add(own);
          this.#write(own, HELLO);
          for (const bytes of this.#missed(lastEventId)) this.#write(own, bytes);
        },
        cancel: () => {
          if (stream !== undefined) this.#forget(stream);
        },
      },
      { highWaterMark: MAX_UNSENT_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
    );
  }

  /** Sends an event to every stream. */
  send(bytes: Buffer): void {
    for (const stream of this.#open) this.#write(stream, bytes);
  }

  /** Ends all streams, and takes no more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) this.#end(stream);
  }

  #missed(lastEventId: string | undefined): readonly Buffer[] {
    if (lastEventId === undefined || lastEventId === "") return [];
    const missed = this.#ring.after(lastEventId);
    const bytes = missed?.reduce((sum, one) => sum + one.length, 0) ?? 0;
    // So much is not read faster than it is asked for.
    return missed === undefined || bytes > MAX_REPLAY_BYTES ? [RESET] : missed;
  }

  #write(stream: OpenLiveStream, bytes: Buffer): void {
    if (!this.#open.has(stream)) return;
    if ((stream.controller.desiredSize ?? 0) <= 0) {
      this.#end(stream);
      stream.destroy();
      return;
    }
    stream.controller.enqueue(bytes);
  }

  async #recheck(stream: OpenLiveStream, recheck: () => Promise<boolean>): Promise<void> {
    const isAllowed = await recheck().catch(() => false);
    if (!isAllowed) this.#end(stream);
  }

  #end(stream: OpenLiveStream): void {
    if (!this.#open.has(stream)) return;
    this.#forget(stream);
    stream.controller.close();
  }

  #forget(stream: OpenLiveStream): void {
    this.#open.delete(stream);
    for (const timer of stream.timers) clearInterval(timer);
  }
}
