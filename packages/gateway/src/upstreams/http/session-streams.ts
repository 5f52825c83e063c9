import type { UpstreamSession } from "./session-pool.ts";
import { type SessionCall, SessionStream, type StreamTransport } from "./session-stream.ts";

export interface SessionStreamsOptions extends Pick<StreamTransport, "listen" | "reply" | "onStray" | "now"> {
  readonly name: string;
  /** How long a stream stays open after the last call, in ms. @default 60_000 */
  readonly lingerMs?: number | undefined;
  /** How many streams there are, unless more are needed at one time. @default 1_000 */
  readonly maxStreams?: number | undefined;
}

const LINGER_MS = 60_000;
/** Each stream is a connection. */
const MAX_STREAMS = 1_000;

/** The streams of an upstream's sessions, at most one for each session that is in use. */
export class SessionStreams {
  readonly #options: SessionStreamsOptions;
  readonly #streams = new Map<string, SessionStream>();
  #hasNone = false;
  #isClosed = false;

  constructor(options: SessionStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Whether the session of a key has a stream, or is to have one. */
  has(key: string): boolean {
    return this.#streams.size > 0 && this.#streams.has(key);
  }

  isBusy(key: string): boolean {
    return this.#streams.get(key)?.isNeeded === true;
  }

  /** A call begins. A promise, if the stream is just being opened. */
  enter(key: string, session: UpstreamSession, call: SessionCall): Promise<void> | undefined {
    if (this.#hasNone || this.#isClosed || session.id === undefined) return undefined;
    return this.#streamOf(key).enter(call, session);
  }

  leave(key: string, call: SessionCall): void {
    this.#streams.get(key)?.leave(call);
  }

  /** Receives the notifications of a session's stream until the signal is aborted. */
  follow(key: string, session: UpstreamSession, onNotification: (message: Buffer) => void, signal: AbortSignal): void {
    if (this.#hasNone || this.#isClosed || session.id === undefined || signal.aborted) return;
    const stream = this.#streamOf(key);
    stream.follow(onNotification, signal);
    void stream.attach(session);
  }

  drop(key: string): void {
    this.#streams.get(key)?.close();
    this.#streams.delete(key);
  }

  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#streams.keys()]) this.drop(key);
  }

  #streamOf(key: string): SessionStream {
    const known = this.#streams.get(key);
    if (known !== undefined) {
      // The one that was used last stands last.
      this.#streams.delete(key);
      this.#streams.set(key, known);
      return known;
    }
    this.#makeRoom();
    const { listen, reply, onStray, now, lingerMs = LINGER_MS } = this.#options;
    const stream = new SessionStream({
      listen,
      reply,
      ...(onStray !== undefined && { onStray }),
      onNone: () => {
        this.#hasNone = true;
      },
      onIdle: () => {
        if (this.#streams.get(key) === stream) this.drop(key);
      },
      lingerMs,
      now,
    });
    this.#streams.set(key, stream);
    return stream;
  }

  /** Ends the stream that was not needed for longest, if there are too many. */
  #makeRoom(): void {
    const { maxStreams = MAX_STREAMS } = this.#options;
    if (this.#streams.size < maxStreams) return;
    for (const [key, stream] of this.#streams) {
      if (stream.isNeeded) continue;
      this.drop(key);
      return;
    }
  }
}
