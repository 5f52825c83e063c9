import { race, sleep } from "@recourse/core/wire";

export interface CallerStream {
  /** Writes a message. False if it was not written: the caller has left, or has left too much unread. */
  send(message: Buffer): boolean;
  end(): void;
}

interface StreamedSession {
  /** The newest stands last. */
  readonly streams: Set<CallerStream>;
  readonly kept: KeptSubscriptions;
  /** Forgets the session, if its last stream has ended. */
  timer: NodeJS.Timeout | undefined;
}

/** What a session keeps while it has no stream: a client whose connection broke comes back and expects it. */
export interface KeptSubscriptions {
  readonly uris: KeptUris;
  /** Stands for the lists as they were when the last stream ended; undefined while a stream is open, and before the first. */
  seen: object | undefined;
}

export interface OpenStreamsOptions {
  readonly keepMs?: number;
  /**
   * For how many sessions without a stream they are kept, and as many that follow nothing are remembered; the longest gone is
   * forgotten first. @default 8_192
   */
  readonly maxKept?: number;
}

const KEPT_SESSION_MS = 60_000;
const MAX_KEPT_SESSIONS = 8_192;

/**
 * The streams that callers of the older era have opened at this replica, by the nonce of their session. A message goes to one
 * stream of a session: the newest that takes it.
 */
export class OpenStreams {
  readonly #keepMs: number;
  readonly #maxKept: number;
  readonly #sessions = new Map<string, StreamedSession>();
  /**
   * The sessions without a stream, the longest gone first. Those that follow something are counted separately: a caller
   * that opens and leaves many sessions must not push them out.
   */
  readonly #left = { following: new Set<string>(), idle: new Set<string>() };
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #chars: KeptChars = { chars: 0 };

  constructor({ keepMs = KEPT_SESSION_MS, maxKept = MAX_KEPT_SESSIONS }: OpenStreamsOptions = {}) {
    this.#keepMs = keepMs;
    this.#maxKept = maxKept;
  }

  get size(): number {
    return this.#sessions.size;
  }

  has(nonce: string): boolean {
    return (this.#sessions.get(nonce)?.streams.size ?? 0) > 0;
  }

  /** A session has opened a stream. What it kept since its last one is given. */
  open(nonce: string, stream: CallerStream): KeptSubscriptions {
    let session = this.#sessions.get(nonce);
    if (session === undefined) {
      const kept = { uris: new KeptUris(this.#chars), seen: undefined };
      session = { streams: new Set(), kept, timer: undefined };
      this.#sessions.set(nonce, session);
    }
    clearTimeout(session.timer);
    this.#return(nonce);
    session.streams.add(stream);
    for (const begun of this.#waiting.get(nonce) ?? []) begun();
    return session.kept;
  }

  /** A stream has ended. If it was the last one, what the session follows is kept for a while. */
  close(nonce: string, stream: CallerStream): void {
    const session = this.#sessions.get(nonce);
    if (session?.streams.delete(stream) !== true || session.streams.size > 0) return;
    session.timer = setTimeout(() => this.#forget(nonce), this.#keepMs).unref();
    const left = session.kept.uris.size > 0 ? this.#left.following : this.#left.idle;
    left.add(nonce);
    if (left.size <= this.#maxKept) return;
    for (const longest of left) {
      this.#forget(longest);
      break;
    }
  }

  /**
   * Sends a message to a session outside of its calls: a notification, or a request with an id of the gateway's own.
   * False if the session has no stream here that takes it; then it was not sent.
   */
  send(nonce: string, message: Buffer): boolean {
    const streams = this.#sessions.get(nonce)?.streams;
    if (streams === undefined) return false;
    return [...streams].reverse().some((stream) => stream.send(message));
  }

  /** Waits for a stream of a session. A client opens it beside its first requests, so it may come a moment later. */
  async whenOpen(nonce: string, wait: { readonly ms: number; readonly signal: AbortSignal }): Promise<boolean> {
    if (this.has(nonce)) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(nonce) ?? new Set();
    this.#waiting.set(nonce, waiting.add(resolve));
    await race(promise, { ...wait, sleep });
    waiting.delete(resolve);
    if (waiting.size === 0) this.#waiting.delete(nonce);
    return this.has(nonce);
  }

  closeSession(nonce: string): void {
    const session = this.#sessions.get(nonce);
    if (session === undefined) return;
    session.kept.uris.close();
    for (const stream of [...session.streams]) stream.end();
    this.#forget(nonce);
  }

  /** A session is not among those without a stream any more. */
  #return(nonce: string): void {
    this.#left.following.delete(nonce);
    this.#left.idle.delete(nonce);
  }

  #forget(nonce: string): void {
    const session = this.#sessions.get(nonce);
    clearTimeout(session?.timer);
    this.#sessions.delete(nonce);
    this.#return(nonce);
    session?.kept.uris.close();
  }
}

/** How many characters are kept for all sessions together. */
interface KeptChars {
  chars: number;
}

const MAX_KEPT_URIS = 1_000;
const MAX_CHARS = 131_072;
/** The characters of all sessions up to which each may have as many. */
const MAX_ALL_CHARS = 32 * 1_048_576;
/** What a session may have in any case, so that nobody is crowded out. */
const MIN_CHARS = 8_192;

/** The URIs that one session follows. They are kept as long as the session has a stream, so they are counted. */
export class KeptUris implements Iterable<string> {
  readonly #uris = new Set<string>();
  readonly #all: KeptChars;
  #chars = 0;
  #isClosed = false;

  /** @param all What all sessions have together. */
  constructor(all: KeptChars) {
    this.#all = all;
  }

  get size(): number {
    return this.#uris.size;
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  /** Keeps a URI; false if the session has as many as it may. */
  add(uri: string): boolean {
    if (this.#uris.has(uri)) return true;
    const chars = this.#chars + uri.length;
    const maxChars = this.#all.chars + uri.length <= MAX_ALL_CHARS ? MAX_CHARS : MIN_CHARS;
    if (this.#isClosed || this.#uris.size >= MAX_KEPT_URIS || chars > maxChars) return false;
    this.#uris.add(uri);
    this.#count(uri.length);
    return true;
  }

  delete(uri: string): void {
    if (this.#uris.delete(uri)) this.#count(-uri.length);
  }

  close(): void {
    this.#isClosed = true;
    this.#uris.clear();
    this.#count(-this.#chars);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#uris.values();
  }

  #count(chars: number): void {
    this.#chars += chars;
    this.#all.chars += chars;
  }
}
