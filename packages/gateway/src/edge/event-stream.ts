import type { ServerResponse } from "node:http";

/** Intermediaries close connections on which nothing happens. */
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = Buffer.from(": still at work\n\n");
/** What a caller that does not read may leave in memory. Notifications beyond it are dropped; the answer never is. */
const MAX_WAITING = 256 * 1_024;
/** How long a caller may leave an answer unread. */
export const UNREAD_MS = 60_000;

/** Messages up to this length are copied before they are written. */
const COPIED = 64 * 1_024;

const FIELD = Buffer.from("event: message\ndata: ");
const END = Buffer.from("\n\n");
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** An answer as a stream of server-sent events. */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #timer: NodeJS.Timeout;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
    outgoing.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    this.#timer = setInterval(() => {
      if (!outgoing.writableNeedDrain) outgoing.write(KEEP_ALIVE);
    }, KEEP_ALIVE_MS).unref();
  }

  /** Whether a caller reads streams of events. */
  static isAccepted(accept: string | undefined): boolean {
    return accept?.includes("text/event-stream") === true;
  }

  /** Sends a notification, unless the caller has left too many unread. */
  notify(message: Buffer): void {
    if (this.#outgoing.destroyed || this.#outgoing.writableLength > MAX_WAITING) return;
    this.#write(message);
  }

  /** Sends the answer, and ends the stream. */
  end(message: Buffer): void {
    this.stop();
    if (this.#outgoing.destroyed) return;
    this.#write(message);
    // A caller that does not read must not keep the answer in memory for ever.
    this.#outgoing.setTimeout(UNREAD_MS, () => this.#outgoing.destroy());
    this.#outgoing.end();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #write(message: Buffer): void {
    const line = onOneLine(message);
    if (line.length <= COPIED) {
      // A small message may be part of a large read, which would wait with it.
      this.#outgoing.write(Buffer.concat([FIELD, line, END]));
      return;
    }
    this.#outgoing.cork();
    this.#outgoing.write(FIELD);
    this.#outgoing.write(line);
    this.#outgoing.write(END);
    this.#outgoing.uncork();
  }
}

/** JSON without line breaks: outside of strings they mean nothing, and inside of strings they are always escaped. */
function onOneLine(message: Buffer): Buffer {
  if (!message.includes(LINE_FEED) && !message.includes(CARRIAGE_RETURN)) return message;
  return Buffer.from(message).map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte)) as Buffer;
}
