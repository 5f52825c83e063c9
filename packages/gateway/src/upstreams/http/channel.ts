import { type Dispatcher, Pool } from "undici";
import type { UpstreamCredential } from "../../config/types.ts";
import { findEnvelope } from "../json-spans.ts";
import { isSameId, messageBody } from "../message.ts";
import { type HttpAnswer, type HttpFailed, readAnswer } from "./answer.ts";
import { type ExchangeLimits, exchange } from "./exchange.ts";
import { unansweredFault } from "./faults.ts";
import { commonHeaders, credentialHeader, type HeaderList } from "./headers.ts";

/** One message to the server at the other end. */
export interface Posting {
  /** Headers beside those that every message has. */
  readonly headers: HeaderList;
  readonly method: string;
  /** As JSON; undefined for a notification. */
  readonly id: string | undefined;
  readonly params: Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onNotification?: ((message: Buffer) => void) | undefined;
  /** Receives requests of the server. */
  readonly onRequest?: ((message: Buffer) => void) | undefined;
  readonly isSession?: boolean;
}

/** What came of a message. */
export type Posted = HttpAnswer | HttpFailed;

/** Where and how an upstream is reached. */
export interface ChannelOptions extends ExchangeLimits {
  readonly url: URL;
  readonly credential: UpstreamCredential;
}

/** More calls at one moment wait for a connection, up to their deadline. */
const MAX_CONNECTIONS = 1_024;
const CONNECT_TIMEOUT_MS = 10_000;

/** The HTTP connections to one upstream. Messages go out and come in as bytes. */
export class HttpChannel {
  readonly #pool: Dispatcher;
  readonly #path: string;
  readonly #options: ChannelOptions;
  readonly #common: HeaderList;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#path = `${options.url.pathname}${options.url.search}`;
    this.#common = commonHeaders(options.credential);
    this.#pool = new Pool(options.url.origin, {
      connections: MAX_CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      // With one request on a connection it is known which requests were sent when it breaks.
      pipelining: 1,
      allowH2: false,
    });
  }

  /** Sends a message, and reads its answer. It never rejects. */
  async post(posting: Posting): Promise<Posted> {
    const { id, method, params, timeoutMs, signal } = posting;
    const request = {
      path: this.#path,
      method: "POST",
      headers: this.#common.concat(posting.headers),
      body: messageBody(id, method, params),
      timeoutMs,
      signal,
      onMessage: id === undefined ? undefined : (message: Buffer) => takeMessage(message, id, posting),
    } as const;
    const ended = await exchange(this.#pool, request, this.#options);
    if (ended.how === "answered") return readAnswer(ended, id);
    const { maxAnswerBytes } = this.#options;
    const facts = { limitMs: timeoutMs, maxAnswerBytes, isSession: posting.isSession === true };
    const isAbandoned = ended.phase !== "connect" && ended.how !== "threw" && ended.how !== "lost";
    return { kind: "failed", fault: unansweredFault(ended, facts), cause: ended.error, isAbandoned };
  }

  /** Sends a response or a notification, and does not wait for what comes of it. */
  tell(headers: HeaderList, message: string, timeoutMs: number): void {
    const all = this.#common.concat(headers);
    const request = { path: this.#path, method: "POST", headers: all, body: Buffer.from(message), timeoutMs } as const;
    void exchange(this.#pool, { ...request, signal: undefined, onMessage: undefined }, this.#options);
  }

  /** Asks the server to forget a session. */
  async delete(headers: HeaderList, timeoutMs: number): Promise<void> {
    const all = [...credentialHeader(this.#options.credential), ...headers];
    const request = { path: this.#path, method: "DELETE", headers: all, body: null, timeoutMs } as const;
    await exchange(this.#pool, { ...request, signal: undefined, onMessage: undefined }, this.#options);
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Sorts a message of a stream; true where it is the response that is waited for. */
function takeMessage(message: Buffer, id: string, posting: Posting): boolean {
  const envelope = findEnvelope(message);
  if (envelope === undefined) return false;
  if (envelope.method !== undefined) {
    if (envelope.id === undefined) posting.onNotification?.(message);
    else posting.onRequest?.(message);
    return false;
  }
  return envelope.id !== undefined && isSameId(message, envelope.id, id);
}
