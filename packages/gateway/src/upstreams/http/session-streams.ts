import { createHash } from "node:crypto";
import type { RemoteQuestions } from "../remote-questions.ts";
import type { UpstreamSession } from "./session-pool.ts";
import { type SessionCall, SessionStream, type StreamTransport } from "./session-stream.ts";

export interface SessionStreamsOptions extends Pick<StreamTransport, "listen" | "reply" | "onStray" | "now"> {
  readonly name: string;
  /** Reaches the calls of other replicas. @default there are none */
  readonly remote: Pick<RemoteQuestions, "ask" | "serve"> | undefined;
  /** How long a stream stays open after the last call, in ms. @default 60_000 */
  readonly lingerMs?: number | undefined;
  /** How many streams there are, unless more are needed at one time. @default 1_000 */
  readonly maxStreams?: number | undefined;
}

interface StreamEntry {
  readonly stream: SessionStream;
  /** Other replicas find its calls no longer. */
  leaveOthers: () => void;
}

const LINGER_MS = 60_000;
/** Each stream is a connection. */
const MAX_STREAMS = 1_000;

/** The streams of an upstream's sessions, at most one for each session that is in use. */
export class SessionStreams {
  readonly #options: SessionStreamsOptions;
  readonly #entries = new Map<string, StreamEntry>();
  #hasNone = false;
  #isClosed = false;

  constructor(options: SessionStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether the session of a key has a stream, or is to have one. */
  has(key: string): boolean {
    return this.#entries.size > 0 && this.#entries.has(key);
  }

  isBusy(key: string): boolean {
    return this.#entries.get(key)?.stream.isNeeded === true;
  }

  /** A call begins. A promise, if the stream is just being opened. */
  enter(key: string, session: UpstreamSession, call: SessionCall): Promise<void> | undefined {
    if (this.#hasNone || this.#isClosed || session.id === undefined) return undefined;
    const entry = this.#entry(key);
    this.#serve(key, session, entry);
    return entry.stream.enter(call, session);
  }

  leave(key: string, call: SessionCall): void {
    this.#entries.get(key)?.stream.leave(call);
  }

  /** Receives the notifications of a session's stream until the signal is aborted. */
  follow(key: string, session: UpstreamSession, onNotification: (message: Buffer) => void, signal: AbortSignal): void {
    if (this.#hasNone || this.#isClosed || session.id === undefined || signal.aborted) return;
    const entry = this.#entry(key);
    entry.stream.follow(onNotification, signal);
    this.#serve(key, session, entry);
    void entry.stream.attach(session);
  }

  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    entry.leaveOthers();
    entry.stream.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#entries.keys()]) this.drop(key);
  }

  #entry(key: string): StreamEntry {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      // The one that was used last stands last.
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    this.#makeRoom();
    const { listen, reply, onStray, now, remote, lingerMs = LINGER_MS } = this.#options;
    const stream = new SessionStream({
      listen,
      reply,
      ...(onStray !== undefined && { onStray }),
      ...(remote !== undefined && {
        askElsewhere: (session, request, signal) => remote.ask(this.#address(key, session), request, signal),
      }),
      onNone: () => {
        this.#hasNone = true;
      },
      onIdle: () => {
        if (this.#entries.get(key)?.stream === stream) this.drop(key);
      },
      lingerMs,
      now,
    });
    const entry = { stream, leaveOthers: () => {} };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Ends the stream that was not needed for longest, if there are too many. */
  #makeRoom(): void {
    const { maxStreams = MAX_STREAMS } = this.#options;
    if (this.#entries.size < maxStreams) return;
    for (const [key, { stream }] of this.#entries) {
      if (stream.isNeeded) continue;
      this.drop(key);
      return;
    }
  }

  /** Lets other replicas find the calls of a session here. */
  #serve(key: string, session: UpstreamSession, entry: StreamEntry): void {
    const { remote } = this.#options;
    if (remote === undefined || entry.stream.session === session) return;
    entry.leaveOthers();
    entry.leaveOthers = remote.serve(this.#address(key, session), () => entry.stream.newestQuestions);
  }

  /** A digest: ids of callers and sessions do not leave the process. */
  #address(key: string, { id }: UpstreamSession): string {
    return createHash("sha256")
      .update(JSON.stringify([this.#options.name, key, id]))
      .digest("base64url");
  }
}
