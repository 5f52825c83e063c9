import { sleep } from "@recourse/core/wire";
import { refusedRequest, type ServerAnswer, type ServerRequest } from "../../call/server-request.ts";
import { type CallQuestions, MAX_QUESTIONS } from "../call-questions.ts";
import { readMethod } from "../message.ts";
import { ServerRequests } from "../server-requests.ts";
import type { HttpListening } from "./channel.ts";
import type { UpstreamSession } from "./session-pool.ts";

export interface SessionCall {
  /** Undefined if its caller cannot be asked. */
  readonly questions: CallQuestions | undefined;
  readonly onNotification: (message: Buffer) => void;
}

/** How the stream of a session is reached. */
export interface StreamTransport {
  /** Opens the stream, and reads it until it ends. The status, if it was answered with something else. */
  listen(session: UpstreamSession, listening: Omit<HttpListening, "headers" | "holder">): Promise<number | undefined>;
  /** Sends the answer to a request of the server in its session. It never rejects. */
  reply(session: UpstreamSession, message: Buffer): Promise<void>;
  /** Receives notifications that come while no call is under way. @default they are dropped */
  onStray?(message: Buffer): void;
  /** The upstream offers no such streams to anybody. */
  onNone(): void;
  /** The stream was ended because it was not needed for a long time. */
  onIdle(): void;
  /** How long it stays open while it is not needed, in ms. */
  readonly lingerMs: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** A call waits this long for the stream to begin. */
const OPEN_MS = 1_000;
/** The pause before a stream that ended is opened again; it doubles up to the second value. */
const FIRST_REOPEN_MS = 1_000;
const MAX_REOPEN_MS = 30_000;
/** A stream that lasted so long was meant to last: the next pause is short again. */
const STREAM_STABLE_MS = 10_000;

/** Statuses of servers that have no such streams. */
const NONE_STATUSES: ReadonlySet<number> = new Set([405, 501]);
/** Statuses that say it of this session only: a server that forgot it says the same. */
const GONE_STATUSES: ReadonlySet<number> = new Set([400, 404]);
/** Another replica has the stream of this session. */
const TAKEN_STATUS = 409;

/**
 * The stream that an upstream of the older era has for one session beside its answers. It is open while calls are under
 * way or a caller follows it. Requests on it belong to the newest call, since the protocol does not say to which.
 */
export class SessionStream {
  readonly #transport: StreamTransport;
  /** The newest stands last. */
  readonly #calls = new Set<SessionCall>();
  readonly #followers = new Set<(message: Buffer) => void>();
  #session: UpstreamSession | undefined = undefined;
  #reading: AbortController | undefined = undefined;
  /** Calls wait for it while the stream is being opened. */
  #opening: Promise<void> | undefined = undefined;
  #linger: NodeJS.Timeout | undefined = undefined;
  #hasNone = false;
  #pauseMs = FIRST_REOPEN_MS;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(transport: StreamTransport) {
    this.#transport = transport;
  }

  /** Whether calls are under way in its session, or a caller follows it. */
  get isNeeded(): boolean {
    return this.#calls.size > 0 || this.#followers.size > 0;
  }

  /** A call begins in a session. A promise, if the stream is just being opened. */
  enter(call: SessionCall, session: UpstreamSession): Promise<void> | undefined {
    this.#calls.add(call);
    return this.attach(session);
  }

  leave(call: SessionCall): void {
    this.#calls.delete(call);
    this.#relax();
  }

  /** Receives all notifications until the signal is aborted. */
  follow(onNotification: (message: Buffer) => void, signal: AbortSignal): void {
    // The same function may follow twice.
    const follower = (message: Buffer): void => onNotification(message);
    this.#followers.add(follower);
    const leave = (): void => {
      this.#followers.delete(follower);
      this.#relax();
    };
    signal.addEventListener("abort", leave, { once: true });
  }

  /** Opens the stream of a session if it is not open yet. A session in place of another gets a stream of its own. */
  attach(session: UpstreamSession): Promise<void> | undefined {
    clearTimeout(this.#linger);
    if (session !== this.#session) {
      this.close();
      this.#session = session;
      this.#hasNone = false;
      this.#pauseMs = FIRST_REOPEN_MS;
      this.#notBeforeMs = Number.NEGATIVE_INFINITY;
    }
    if (this.#reading === undefined && !this.#hasNone) {
      const reading = new AbortController();
      this.#reading = reading;
      void this.#keepOpen(session, reading.signal).finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    }
    return this.#opening;
  }

  close(): void {
    clearTimeout(this.#linger);
    this.#reading?.abort();
    this.#reading = undefined;
    this.#opening = undefined;
  }

  #relax(): void {
    if (this.isNeeded) return;
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => {
      this.close();
      this.#transport.onIdle();
    }, this.#transport.lingerMs).unref();
  }

  async #keepOpen(session: UpstreamSession, signal: AbortSignal): Promise<void> {
    const { now } = this.#transport;
    while (!signal.aborted) {
      const restMs = this.#notBeforeMs - now();
      // An abort ends the pause, and its timer.
      if (restMs > 0) await sleep(restMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      // While it is only kept for a next call, a stream that ended stays ended.
      if (!this.isNeeded) return;
      const beganMs = now();
      const status = await this.#read(session, signal);
      if (signal.aborted || (status !== undefined && this.#isRefused(status))) return;
      if (status === TAKEN_STATUS || now() - beganMs >= STREAM_STABLE_MS) this.#pauseMs = FIRST_REOPEN_MS;
      this.#notBeforeMs = now() + this.#pauseMs;
      this.#pauseMs = Math.min(MAX_REOPEN_MS, this.#pauseMs * 2);
    }
  }

  #isRefused(status: number): boolean {
    // Something else than a stream came although it was asked for one.
    const isNone = NONE_STATUSES.has(status) || status < 300;
    this.#hasNone = isNone || GONE_STATUSES.has(status);
    if (isNone) this.#transport.onNone();
    return this.#hasNone;
  }

  async #read(session: UpstreamSession, signal: AbortSignal): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#opening = promise;
    const onOpen = (): void => {
      clearTimeout(timer);
      if (this.#opening === promise) this.#opening = undefined;
      resolve();
    };
    // Some servers send nothing before they have something to say.
    const timer = setTimeout(onOpen, OPEN_MS);
    const requests = new ServerRequests({
      ask: (request, withdrawn) => this.#ask(request, withdrawn),
      reply: (message) => this.#transport.reply(session, message),
      maxOpen: MAX_QUESTIONS,
    });
    try {
      return await this.#transport.listen(session, {
        signal,
        onOpen,
        onNotification: (message) => this.#notify(message, requests),
        onRequest: (message, envelope) => requests.take(message, envelope),
      });
    } finally {
      onOpen();
      // The session lives on without its stream, so what is asked is still answered, unless the session was given up.
      if (signal.aborted) requests.end();
    }
  }

  /** Asks the newest call of this replica whose caller can be asked. */
  #ask(request: ServerRequest, signal: AbortSignal): Promise<ServerAnswer> {
    const asked = [...this.#calls].findLast(({ questions }) => questions !== undefined);
    return (
      asked?.questions?.ask(request, signal) ??
      Promise.resolve(refusedRequest("No call is under way whose caller could be asked."))
    );
  }

  #notify(message: Buffer, requests: ServerRequests): void {
    if (requests.withdraw(message)) return;
    for (const follower of this.#followers) follower(message);
    const calls = [...this.#calls];
    if (calls.length === 0) {
      this.#transport.onStray?.(message);
      return;
    }
    // Each call takes only the progress with its own token. Everything else is for one of them.
    const takers = readMethod(message) === "notifications/progress" ? calls : calls.slice(-1);
    for (const { onNotification } of takers) onNotification(message);
  }
}
