import { ByteCollector, SseReader } from "@recourse/core/wire";
import type { Dispatcher } from "undici";
import type { Holder } from "../../call/caller.ts";
import { type Ending, listenTo, unlistenTo } from "../../call/ending.ts";
import { type PausableClock, PausableTimer } from "../../call/pausable-timer.ts";
import type { FairPool } from "../../limits/fair-pool.ts";
import { Allowance, UNASKED } from "../flood.ts";
import { asBuffer, type Envelope } from "../message.ts";

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How far a request came: `connect` nothing left this machine, `sent` it may have been received, `headers` an answer began. */
type ExchangePhase = "connect" | "sent" | "headers";

export type HttpEnding =
  | {
      readonly how: "answered";
      readonly status: number;
      readonly headers: AnswerHeaders;
      /** The whole body, or the data of the event that brought the answer. */
      readonly body: Buffer;
      /** It came as an event, so it is known to be the answer. */
      readonly isEvent: boolean;
      /** The envelope of the event, for which the whole body was scanned. */
      readonly envelope: Envelope | undefined;
    }
  | {
      readonly how: "threw" | "aborted" | "late" | "lost" | "too_large" | "over_budget";
      readonly phase: ExchangePhase;
      readonly error?: unknown;
    };

export interface ExchangeRequest {
  readonly path: string;
  readonly method: "POST" | "DELETE" | "GET";
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly timeoutMs: number;
  readonly signal: Ending | undefined;
  /** Whose share of the memory the answer counts against. */
  readonly holder: Holder;
  /**
   * Receives each message of a stream, and whether it is one too many, so that only an answer still matters; gives the
   * envelope if it is the answer. Without it a stream is not read.
   */
  readonly onMessage: ((data: Buffer) => Envelope | undefined) | undefined;
  /** Receives the time of the request before it is sent, for those who may have to stop it. @default nobody does */
  readonly onClock?: ((clock: PausableClock) => void) | undefined;
  /** A stream of events begins. @default nobody waits for it */
  readonly onStream?: (() => void) | undefined;
}

export interface ExchangeLimits {
  readonly maxAnswerBytes: number;
  readonly memory: FairPool;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** How long a stream may go on after its answer, so that its connection can be used again. */
const STREAM_END_MS = 1_000;
/** What a stream may bring after its answer. */
const MAX_AFTER_BYTES = 64 * 1_024;
/** Smaller pieces of a body are counted. */
const TINY_BYTES = 64;
const EMPTY = Buffer.alloc(0);
const DONE = new Error("the answer is not waited for any longer");

/** Sends one request, and again once if nothing of it had left. It never rejects. */
export function exchangeHttp(pool: Dispatcher, request: ExchangeRequest, limits: ExchangeLimits): Promise<HttpEnding> {
  return new Promise((resolve) => {
    new Exchange(pool, request, limits, resolve).start();
  });
}

class Exchange implements Dispatcher.DispatchHandler, PausableClock {
  readonly #pool: Dispatcher;
  readonly #request: ExchangeRequest;
  readonly #limits: ExchangeLimits;
  readonly #resolve: (ended: HttpEnding) => void;
  #timer: NodeJS.Timeout | undefined = undefined;
  /** Set for those who may stop the time. */
  #startedMs = 0;
  /** Takes the place of the timer from the first pause on. */
  #pausable: PausableTimer | undefined = undefined;
  #controller: Dispatcher.DispatchController | undefined = undefined;
  #phase: ExchangePhase = "connect";
  #wasRepeated = false;
  #isEnded = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #stream: SseReader | undefined = undefined;
  /** Made when something is counted: most answers bring nothing else. */
  #unasked: Allowance | undefined = undefined;
  #body = new ByteCollector();
  #held = 0;
  #after = 0;

  constructor(
    pool: Dispatcher,
    request: ExchangeRequest,
    limits: ExchangeLimits,
    resolve: (ended: HttpEnding) => void,
  ) {
    this.#pool = pool;
    this.#request = request;
    this.#limits = limits;
    this.#resolve = resolve;
  }

  start(): void {
    const { signal, timeoutMs, onClock } = this.#request;
    if (signal?.aborted === true) {
      this.#fail("aborted");
      return;
    }
    if (signal !== undefined) listenTo(signal, this);
    this.#timer = setTimeout(late, Math.max(0, timeoutMs), this);
    if (onClock !== undefined) {
      this.#startedMs = this.#limits.now();
      onClock(this);
    }
    this.#dispatch();
  }

  /** The time stands still until `resume` was called as often. */
  pause(): void {
    if (this.#isEnded) return;
    if (this.#pausable === undefined) {
      clearTimeout(this.#timer);
      const { now } = this.#limits;
      const leftMs = this.#request.timeoutMs - (now() - this.#startedMs);
      this.#pausable = new PausableTimer(leftMs, () => this.cut("late"), now);
    }
    this.#pausable.pause();
  }

  resume(): void {
    this.#pausable?.resume();
  }

  /** The caller has gone. */
  handleEvent(): void {
    this.cut("aborted");
  }

  /** Ends it before its answer. What has not been sent yet never will be. */
  cut(how: "aborted" | "late" | "too_large" | "over_budget"): void {
    this.#fail(how);
    this.#controller?.abort(DONE);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isEnded) controller.abort(DONE);
    else this.#phase = "sent";
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // Interim answers are not the answer.
    if (this.#isEnded || status < 200) return;
    this.#phase = "headers";
    this.#status = status;
    this.#headers = headers;
    const { onMessage } = this.#request;
    if (!isEventStream(headers)) return;
    if (onMessage === undefined) {
      this.#answer(EMPTY, { isEvent: true });
      this.#controller?.abort(DONE);
      return;
    }
    this.#request.onStream?.();
    this.#stream = new SseReader({
      onEvent: ({ data, type }) => {
        if (this.#isEnded || type !== "message") return;
        const message = asBuffer(data);
        const envelope = onMessage(message);
        if (envelope !== undefined) this.#answerByEvent(message, envelope);
        else if (!this.#allowance.takeMessage()) this.cut("too_large");
      },
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isEnded) {
      this.#after += chunk.length;
      if (this.#after > MAX_AFTER_BYTES) controller.abort(DONE);
      return;
    }
    if (this.#stream !== undefined) this.#readEvents(this.#stream, chunk);
    else if (this.#hold(chunk.length)) {
      this.#body.push(chunk);
      if (chunk.length < TINY_BYTES && !this.#allowance.takePiece(chunk.length)) this.cut("too_large");
    }
  }

  get #allowance(): Allowance {
    this.#unasked ??= new Allowance({ ...UNASKED, now: this.#limits.now });
    return this.#unasked;
  }

  #readEvents(stream: SseReader, chunk: Buffer): void {
    const { lines } = stream;
    stream.push(chunk);
    if (this.#isEnded) return;
    const grown = stream.heldBytes - this.#held;
    if (!this.#hold(grown)) return;
    const read = { bytes: chunk.length - grown, lines: stream.lines - lines };
    if (!this.#allowance.takeRead(read)) this.cut("too_large");
  }

  onResponseEnd(): void {
    if (this.#isEnded) clearTimeout(this.#timer);
    else if (this.#stream !== undefined) this.#fail("lost");
    else this.#answer(joinBody(this.#body), { isEvent: false });
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isEnded) {
      clearTimeout(this.#timer);
    } else if (this.#phase === "connect" && !this.#wasRepeated) {
      this.#wasRepeated = true;
      // Not at once: undici is in the middle of failing all requests of the connection.
      setImmediate(() => {
        if (!this.#isEnded) this.#dispatch();
      });
    } else this.#fail(this.#phase === "headers" ? "lost" : "threw", error);
  }

  #dispatch(): void {
    const { path, method, headers, body } = this.#request;
    try {
      this.#pool.dispatch({ path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this);
    } catch (error) {
      this.#wasRepeated = true;
      this.#fail("threw", error);
    }
  }

  /** Counts what has to be held; false if it is too much, and the exchange is cut. */
  #hold(bytes: number): boolean {
    const { maxAnswerBytes, memory } = this.#limits;
    const { holder } = this.#request;
    if (bytes <= 0) {
      memory.give(holder, -bytes);
      this.#held += bytes;
      return true;
    }
    if (this.#held + bytes > maxAnswerBytes) {
      this.cut("too_large");
      return false;
    }
    if (!memory.take(holder, bytes)) {
      this.cut("over_budget");
      return false;
    }
    this.#held += bytes;
    return true;
  }

  #answerByEvent(data: Buffer, envelope: Envelope): void {
    if (data.length > this.#limits.maxAnswerBytes) {
      this.cut("too_large");
      return;
    }
    this.#answer(data, { isEvent: true, envelope });
    // Servers end the stream after the answer. One that does not loses its connection.
    this.#timer = setTimeout(drop, STREAM_END_MS, this.#controller);
    this.#timer.unref();
  }

  #answer(body: Buffer, { isEvent, envelope }: { readonly isEvent: boolean; readonly envelope?: Envelope }): void {
    this.#release();
    this.#resolve({ how: "answered", status: this.#status, headers: this.#headers, body, isEvent, envelope });
  }

  #fail(how: Exclude<HttpEnding["how"], "answered">, error?: unknown): void {
    if (this.#isEnded) return;
    this.#release();
    this.#resolve({ how, phase: this.#phase, error });
  }

  #release(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#pausable?.clear();
    const { signal } = this.#request;
    if (signal !== undefined) unlistenTo(signal, this);
    this.#limits.memory.give(this.#request.holder, this.#held);
    this.#held = 0;
    this.#body = new ByteCollector();
    this.#stream = undefined;
  }
}

/** All bytes as one. `Buffer.concat` does not clear the memory that it fills, which matters for large answers. */
function joinBody(collector: ByteCollector): Buffer {
  const { bytes } = collector;
  const [first, ...more] = collector.takePieces();
  if (first === undefined) return EMPTY;
  return more.length === 0 ? asBuffer(first) : Buffer.concat([first, ...more], bytes);
}

function late(exchange: Exchange): void {
  exchange.cut("late");
}

function drop(controller: Dispatcher.DispatchController | undefined): void {
  controller?.abort(DONE);
}

/** The type of an answer, without its parameters. */
export function contentType(headers: AnswerHeaders): string {
  const value = headers["content-type"];
  const text = typeof value === "string" ? value : "";
  const end = text.indexOf(";");
  return (end === -1 ? text : text.slice(0, end)).trim().toLowerCase();
}

function isEventStream(headers: AnswerHeaders): boolean {
  return contentType(headers) === "text/event-stream";
}
