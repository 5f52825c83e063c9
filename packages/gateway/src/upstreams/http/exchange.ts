import type { Dispatcher } from "undici";
import type { HeldBytes } from "./held.ts";
import { SseSplitter } from "./sse.ts";

/** Headers of an answer, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How far a request came: `connect` nothing left this machine, `sent` it may have been received, `headers` an answer began. */
type ExchangePhase = "connect" | "sent" | "headers";

/** How one HTTP request ended. */
export type Ended =
  | {
      readonly how: "answered";
      readonly status: number;
      readonly headers: AnswerHeaders;
      /** The whole body, or the data of the event that brought the answer. */
      readonly body: Buffer;
      /** It came as an event, so it is known to be the answer. */
      readonly isEvent: boolean;
    }
  | {
      readonly how: "threw" | "aborted" | "late" | "lost" | "too_large" | "over_budget";
      readonly phase: ExchangePhase;
      readonly error?: unknown;
    };

/** One HTTP request. */
export interface ExchangeRequest {
  readonly path: string;
  readonly method: "POST" | "DELETE";
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Receives each message of a stream; true where it is the answer. Without it a stream is not read. */
  readonly onMessage: ((data: Buffer) => boolean) | undefined;
}

/** What bounds the answers. */
export interface ExchangeLimits {
  readonly maxAnswerBytes: number;
  readonly held: HeldBytes;
}

/** How long a stream may go on after its answer, so that its connection can be used again. */
const STREAM_END_MS = 1_000;
const EMPTY = Buffer.alloc(0);
const DONE = new Error("the answer is not waited for any longer");

/** Sends one request, and again once if nothing of it had left. It never rejects. */
export function exchange(pool: Dispatcher, request: ExchangeRequest, limits: ExchangeLimits): Promise<Ended> {
  return new Promise((resolve) => {
    new Exchange(pool, request, limits, resolve).start();
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #pool: Dispatcher;
  readonly #request: ExchangeRequest;
  readonly #limits: ExchangeLimits;
  readonly #resolve: (ended: Ended) => void;
  #timer: NodeJS.Timeout | undefined = undefined;
  #controller: Dispatcher.DispatchController | undefined = undefined;
  #phase: ExchangePhase = "connect";
  #wasRepeated = false;
  #isEnded = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #stream: SseSplitter | undefined = undefined;
  #chunks: Buffer[] = [];
  #held = 0;

  constructor(pool: Dispatcher, request: ExchangeRequest, limits: ExchangeLimits, resolve: (ended: Ended) => void) {
    this.#pool = pool;
    this.#request = request;
    this.#limits = limits;
    this.#resolve = resolve;
  }

  start(): void {
    const { signal, timeoutMs } = this.#request;
    if (signal?.aborted === true) {
      this.#fail("aborted");
      return;
    }
    signal?.addEventListener("abort", this, { once: true });
    this.#timer = setTimeout(late, Math.max(0, timeoutMs), this);
    this.#dispatch();
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
      this.#answer(EMPTY, true);
      this.#controller?.abort(DONE);
      return;
    }
    this.#stream = new SseSplitter((data) => {
      if (!this.#isEnded && onMessage(data)) this.#answerByEvent(data);
    });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isEnded) return;
    if (this.#stream !== undefined) {
      this.#stream.push(chunk);
      if (!this.#isEnded) this.#hold(this.#stream.heldBytes - this.#held);
    } else if (this.#hold(chunk.length)) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isEnded) clearTimeout(this.#timer);
    else if (this.#stream !== undefined) this.#fail("lost");
    else {
      const [first] = this.#chunks;
      this.#answer(this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks), false);
    }
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

  /** Counts what has to be held; false where it is too much, and the exchange is cut. */
  #hold(bytes: number): boolean {
    const { maxAnswerBytes, held } = this.#limits;
    if (bytes <= 0) {
      held.give(-bytes);
      this.#held += bytes;
      return true;
    }
    if (this.#held + bytes > maxAnswerBytes) {
      this.cut("too_large");
      return false;
    }
    if (!held.take(bytes)) {
      this.cut("over_budget");
      return false;
    }
    this.#held += bytes;
    return true;
  }

  #answerByEvent(data: Buffer): void {
    if (data.length > this.#limits.maxAnswerBytes) {
      this.cut("too_large");
      return;
    }
    this.#answer(data, true);
    // Servers end the stream after the answer. One that does not loses its connection.
    this.#timer = setTimeout(drop, STREAM_END_MS, this.#controller);
    this.#timer.unref();
  }

  #answer(body: Buffer, isEvent: boolean): void {
    this.#release();
    this.#resolve({ how: "answered", status: this.#status, headers: this.#headers, body, isEvent });
  }

  #fail(how: Exclude<Ended["how"], "answered">, error?: unknown): void {
    if (this.#isEnded) return;
    this.#release();
    this.#resolve({ how, phase: this.#phase, error });
  }

  #release(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this);
    this.#limits.held.give(this.#held);
    this.#held = 0;
    this.#chunks = [];
  }
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
