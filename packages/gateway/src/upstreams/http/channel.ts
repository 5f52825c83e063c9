import { type Dispatcher, Pool } from "undici";
import type { Holder } from "../../call/caller.ts";
import type { UpstreamCredential } from "../../config/types.ts";
import { upstreamHolder } from "../../limits/shares.ts";
import { findEnvelope, isSameId, messageBody } from "../message.ts";
import { upstreamPace } from "../pace.ts";
import { type PostResult, readHttpAnswer, unansweredFault } from "./answer.ts";
import { type ExchangeLimits, exchangeHttp } from "./exchange.ts";
import { commonHeaders, credentialHeader, type HeaderList } from "./headers.ts";

/** One message to the server at the other end. */
export interface HttpPost {
  /** Headers beside those that every message has. */
  readonly headers: HeaderList;
  readonly method: string;
  /** As JSON; undefined for a notification. */
  readonly id: string | undefined;
  readonly params: Buffer;
  readonly timeoutMs: number;
  /** Whose share of the memory the answer counts against. @default that of the upstream itself */
  readonly holder?: Holder | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onNotification?: ((message: Buffer) => void) | undefined;
  /** Receives requests of the server. */
  readonly onRequest?: ((message: Buffer) => void) | undefined;
  readonly isSession?: boolean;
}

/** Where and how an upstream is reached. */
export interface ChannelOptions extends Pick<ExchangeLimits, "maxAnswerBytes" | "memory" | "now"> {
  /** The name of the upstream. */
  readonly name: string;
  readonly url: URL;
  readonly credential: UpstreamCredential;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The HTTP connections to one upstream. Messages go out and come in as bytes. */
export class HttpChannel {
  readonly #pool: Dispatcher;
  readonly #path: string;
  readonly #options: ChannelOptions;
  readonly #limits: ExchangeLimits;
  readonly #common: HeaderList;
  readonly #own: Holder;

  constructor(options: ChannelOptions) {
    this.#options = options;
    const { maxAnswerBytes, memory, now } = options;
    this.#limits = { maxAnswerBytes, memory, now, pace: upstreamPace(now) };
    this.#path = `${options.url.pathname}${options.url.search}`;
    this.#common = commonHeaders(options.credential);
    this.#own = upstreamHolder(options.name);
    this.#pool = new Pool(options.url.origin, {
      // Shares bound how many calls and streams there are at one moment. None of them waits for a connection.
      connections: null,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      // With one request on a connection it is known which requests were sent when it breaks.
      pipelining: 1,
      allowH2: false,
    });
  }

  /** Sends a message, and reads its answer. It never rejects. */
  async post(posting: HttpPost): Promise<PostResult> {
    const { id, method, params, timeoutMs, signal } = posting;
    const request = {
      path: this.#path,
      method: "POST",
      headers: this.#common.concat(posting.headers),
      body: messageBody(id, method, params),
      timeoutMs,
      signal,
      holder: posting.holder ?? this.#own,
      onMessage:
        id === undefined
          ? undefined
          : (message: Buffer, isTooMany: boolean) => takeMessage(message, id, isTooMany ? NO_HANDLERS : posting),
    } as const;
    const ended = await exchangeHttp(this.#pool, request, this.#limits);
    if (ended.how === "answered") return readHttpAnswer(ended, id);
    const { maxAnswerBytes } = this.#options;
    const facts = { limitMs: timeoutMs, maxAnswerBytes, isSession: posting.isSession === true };
    const isAbandoned = ended.phase !== "connect" && ended.how !== "threw" && ended.how !== "lost";
    return { kind: "failed", fault: unansweredFault(ended, facts), cause: ended.error, isAbandoned };
  }

  /** Sends a response or a notification, and does not wait for what comes of it. */
  tell(headers: HeaderList, message: string, timeoutMs: number): void {
    const all = this.#common.concat(headers);
    const request = { path: this.#path, method: "POST", headers: all, body: Buffer.from(message), timeoutMs } as const;
    void exchangeHttp(this.#pool, { ...request, ...this.#alone }, this.#limits);
  }

  /** Asks the server to forget a session. */
  async delete(headers: HeaderList, timeoutMs: number): Promise<void> {
    const all = [...credentialHeader(this.#options.credential), ...headers];
    const request = { path: this.#path, method: "DELETE", headers: all, body: null, timeoutMs } as const;
    await exchangeHttp(this.#pool, { ...request, ...this.#alone }, this.#limits);
  }

  /** Nobody waits for the answer. */
  get #alone() {
    return { holder: this.#own, signal: undefined, onMessage: undefined } as const;
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Where messages beyond the pace of a stream go. */
const NO_HANDLERS = {};

/** Sorts a message of a stream; true where it is the response that is waited for. */
function takeMessage(message: Buffer, id: string, posting: Pick<HttpPost, "onNotification" | "onRequest">): boolean {
  const envelope = findEnvelope(message);
  if (envelope === undefined) return false;
  if (envelope.method !== undefined) {
    if (envelope.id === undefined) posting.onNotification?.(message);
    else posting.onRequest?.(message);
    return false;
  }
  return envelope.id !== undefined && isSameId(message, envelope.id, id);
}
