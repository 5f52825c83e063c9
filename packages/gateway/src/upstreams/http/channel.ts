import { MAX_TIMER_MS } from "@recourse/core/wire";
import { type Dispatcher, Pool } from "undici";
import type { Holder } from "../../call/caller.ts";
import { type Ending, toSignal } from "../../call/ending.ts";
import type { PausableClock } from "../../call/pausable-timer.ts";
import type { UpstreamCredential } from "../../config/types.ts";
import { upstreamHolder } from "../../limits/shares.ts";
import { type UpstreamAccess, upstreamConnector } from "../connections.ts";
import type { NoToken } from "../credentials/token-faults.ts";
import type { MessageSender, UpstreamTokens } from "../credentials/upstream-tokens.ts";
import { type Envelope, findEnvelope, isSameId, messageBody } from "../message.ts";
import { type PostResult, readHttpAnswer, unansweredFault } from "./answer.ts";
import { type ExchangeLimits, type ExchangeRequest, exchangeHttp, type HttpEnding } from "./exchange.ts";
import { commonHeaders, credentialHeader, type HeaderList } from "./headers.ts";

/** One message to the server at the other end. */
export interface HttpPost {
  readonly headers: HeaderList;
  readonly method: string;
  /** As JSON; undefined for a notification. */
  readonly id: string | undefined;
  readonly params: Buffer;
  readonly timeoutMs: number;
  /** Whose share of the memory the answer counts against. @default that of the upstream itself */
  readonly holder?: Holder | undefined;
  readonly signal?: Ending | undefined;
  readonly onNotification?: ((message: Buffer) => void) | undefined;
  /** Receives requests of the server. */
  readonly onRequest?: ServerRequestHandler | undefined;
  /** Receives the time of the message before it is sent. */
  readonly onClock?: ((clock: PausableClock) => void) | undefined;
  readonly isSession?: boolean;
}

type ServerRequestHandler = (message: Buffer, envelope: Envelope) => void;

export interface HttpListening {
  readonly headers: HeaderList;
  /** Whose share of the memory it counts against. */
  readonly holder: Holder;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onNotification: (message: Buffer) => void;
  readonly onRequest: ServerRequestHandler;
}

export interface ChannelOptions extends Pick<ExchangeLimits, "maxAnswerBytes" | "memory" | "now"> {
  readonly name: string;
  readonly url: URL;
  /** Proxies and CAs. @default it is reached directly, with a CA that Node knows */
  readonly route?: UpstreamAccess | undefined;
  readonly credential: UpstreamCredential;
  /** The tokens that messages carry, if the credential is fetched. @default what the credential says is sent */
  readonly tokens?: UpstreamTokens | undefined;
}

interface ChannelView {
  readonly channel: HttpChannel;
  readonly sender: MessageSender;
  /** Receives each token that a message is sent with. */
  readonly onCredential: ((token: string) => void) | undefined;
}

/** A message that was not sent, since there is no token for it. */
interface UnsentEnding extends NoToken {
  readonly how: "unsent";
}

const CONNECT_TIMEOUT_MS = 10_000;
const UNAUTHENTICATED = 401;

/** The HTTP connections to one upstream. Messages go out and come in as bytes. */
export class HttpChannel {
  readonly #pool: Dispatcher;
  readonly #path: string;
  readonly #options: ChannelOptions;
  readonly #limits: ExchangeLimits;
  readonly #common: HeaderList;
  readonly #own: Holder;
  /** Undefined for the messages of the gateway itself. */
  readonly #view: ChannelView | undefined;

  constructor(options: ChannelOptions, view?: ChannelView) {
    this.#options = options;
    this.#view = view;
    if (view !== undefined) {
      const { channel } = view;
      this.#pool = channel.#pool;
      this.#path = channel.#path;
      this.#limits = channel.#limits;
      this.#common = channel.#common;
      this.#own = channel.#own;
      return;
    }
    const { maxAnswerBytes, memory, now } = options;
    this.#limits = { maxAnswerBytes, memory, now };
    this.#path = `${options.url.pathname}${options.url.search}`;
    this.#common = commonHeaders(options.credential);
    this.#own = upstreamHolder(options.name);
    this.#pool = new Pool(options.url.origin, {
      // Shares bound how many calls and streams there are at one moment. None of them waits for a connection.
      connections: null,
      connect: upstreamConnector(options.route ?? {}, CONNECT_TIMEOUT_MS),
      // With one request on a connection it is known which requests were sent when it breaks.
      pipelining: 1,
      allowH2: false,
    });
  }

  /**
   * The same connections for the messages of one sender. They make a difference only if tokens are fetched: those of a
   * caller then carry its token, and those that no view sends carry the gateway's own.
   */
  as(sender: MessageSender, onCredential?: (token: string) => void): HttpChannel {
    if (this.#options.tokens === undefined) return this;
    return new HttpChannel(this.#options, { channel: this, sender, onCredential });
  }

  /** The same for what goes out beside the calls of a caller: it holds no token of it. */
  beside(): HttpChannel {
    if (this.#view === undefined) return this;
    const { caller } = this.#view.sender;
    return new HttpChannel(this.#options, {
      channel: this,
      sender: { caller, isBeside: true },
      onCredential: undefined,
    });
  }

  /** Sends a message, and reads its answer. It never rejects. */
  post(posting: HttpPost): Promise<PostResult> {
    const { id, method, params, timeoutMs, signal } = posting;
    const request = {
      path: this.#path,
      method: "POST",
      headers: this.#common.concat(posting.headers),
      body: messageBody(id, method, params),
      timeoutMs,
      signal,
      holder: posting.holder ?? this.#own,
      onClock: posting.onClock,
      onMessage: id === undefined ? undefined : (message: Buffer) => takeMessage(message, id, posting),
    } as const;
    return this.#exchange(request).then((ended) => this.#readEnding(ended, posting));
  }

  #readEnding(ended: HttpEnding | UnsentEnding, { id, timeoutMs, isSession = false }: HttpPost): PostResult {
    if (ended.how === "answered") return readHttpAnswer(ended, id);
    if (ended.how === "unsent") return { kind: "failed", fault: ended.fault, cause: ended.cause, isAbandoned: false };
    const { maxAnswerBytes } = this.#options;
    const facts = { limitMs: timeoutMs, maxAnswerBytes, isSession };
    const isAbandoned = ended.phase !== "connect" && ended.how !== "threw" && ended.how !== "lost";
    return { kind: "failed", fault: unansweredFault(ended, facts), cause: ended.error, isAbandoned };
  }

  /** Sends the answer to a request of the server; the cause if it was refused, or did not arrive as far as is known. */
  async reply(headers: HeaderList, message: Buffer, timeoutMs: number): Promise<unknown> {
    const all = this.#common.concat(headers);
    const request = { path: this.#path, method: "POST", headers: all, body: message, timeoutMs } as const;
    const ended = await this.#exchange({ ...request, ...this.#alone });
    if (ended.how === "unsent") return ended.cause ?? new Error("there is no token to send the answer with");
    if (ended.how !== "answered") return ended.error ?? new Error(`the answer was not taken (${ended.how})`);
    return ended.status < 300 ? undefined : new Error(`HTTP status ${ended.status} to an answer`);
  }

  /** Opens the stream of a session, and reads it until it ends. The status, if it was answered with something else. */
  async listen(listening: HttpListening): Promise<number | undefined> {
    const { signal, holder, onOpen } = listening;
    const headers = [
      "accept",
      "text/event-stream",
      "accept-encoding",
      "identity",
      ...credentialHeader(this.#options.credential),
      ...listening.headers,
    ];
    const ended = await this.#exchange({
      path: this.#path,
      method: "GET",
      headers,
      body: null,
      timeoutMs: MAX_TIMER_MS,
      signal,
      holder,
      onStream: onOpen,
      onMessage: (message) => takeMessage(message, undefined, listening),
    });
    return ended.how === "answered" ? ended.status : undefined;
  }

  /** Sends a response or a notification, and does not wait for what comes of it. */
  tell(headers: HeaderList, message: string, timeoutMs: number): void {
    const all = this.#common.concat(headers);
    const request = { path: this.#path, method: "POST", headers: all, body: Buffer.from(message), timeoutMs } as const;
    void this.#exchange({ ...request, ...this.#alone });
  }

  async delete(headers: HeaderList, timeoutMs: number): Promise<void> {
    const all = [...credentialHeader(this.#options.credential), ...headers];
    const request = { path: this.#path, method: "DELETE", headers: all, body: null, timeoutMs } as const;
    await this.#exchange({ ...request, ...this.#alone });
  }

  #exchange(request: ExchangeRequest): Promise<HttpEnding | UnsentEnding> {
    const { tokens } = this.#options;
    if (tokens === undefined) return exchangeHttp(this.#pool, request, this.#limits);
    return this.#exchangeWithToken(tokens, request);
  }

  /** Sends a request with a token, and once more with another one if the upstream refuses it: nothing ran then. */
  async #exchangeWithToken(tokens: UpstreamTokens, request: ExchangeRequest): Promise<HttpEnding | UnsentEnding> {
    const { now } = this.#limits;
    const untilMs = now() + request.timeoutMs;
    const signal = request.signal && toSignal(request.signal);
    const leftMs = (): number => Math.max(0, untilMs - now());
    for (let attempt = 1; ; attempt++) {
      const found = await tokens.find(this.#view?.sender, { timeoutMs: leftMs(), signal });
      if ("fault" in found) return { how: "unsent", ...found };
      this.#view?.onCredential?.(found.token.value);
      const headers = [...request.headers, ...found.token.header];
      const ended = await exchangeHttp(this.#pool, { ...request, headers, timeoutMs: leftMs() }, this.#limits);
      const isRefused = ended.how === "answered" && ended.status === UNAUTHENTICATED;
      if (!isRefused || attempt > 1 || !found.refuse()) return ended;
    }
  }

  /** Nobody waits for the answer. */
  get #alone() {
    return { holder: this.#own, signal: undefined, onMessage: undefined } as const;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Sorts a message of a stream; gives the envelope of the expected response. */
function takeMessage(
  message: Buffer,
  id: string | undefined,
  { onNotification, onRequest }: Pick<HttpPost, "onNotification" | "onRequest">,
): Envelope | undefined {
  const envelope = findEnvelope(message);
  if (envelope === undefined) return undefined;
  if (envelope.method !== undefined) {
    if (envelope.id !== undefined) onRequest?.(message, envelope);
    else onNotification?.(message);
    return undefined;
  }
  const isAnswer = id !== undefined && envelope.id !== undefined && isSameId(message, envelope.id, id);
  return isAnswer ? envelope : undefined;
}
