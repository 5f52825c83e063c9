import { randomBytes, randomInt } from "node:crypto";
import { performance } from "node:perf_hooks";
import { core, type Fault } from "@recourse/faults";
import { hasHandshake, type Revision } from "@recourse/wire";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../../call/upstream.ts";
import type { UpstreamConfig } from "../../config/types.ts";
import type { FairPool } from "../../limits/fair-pool.ts";
import type { SessionStore } from "../../stores/redis.ts";
import { type ClientInfo, withOwnToken } from "../message.ts";
import { toUpstreamReply } from "./answer.ts";
import { HttpChannel } from "./channel.ts";
import { messageHeaders } from "./headers.ts";
import {
  initialize,
  isDoubtful,
  NegotiateOnce,
  type Negotiation,
  type NegotiationFailure,
  negotiate,
  type OpenSession,
  sessionHeaders,
} from "./negotiate.ts";
import { SessionPool } from "./session-pool.ts";
import { sendInSession } from "./session-sender.ts";

/** What an upstream reached by HTTP needs of the gateway. */
export interface HttpUpstreamParts {
  readonly maxAnswerBytes: number;
  /** The memory for answers, of all upstreams together. */
  readonly memory: FairPool;
  /** Name and version of the gateway, as upstreams see them. */
  readonly client: ClientInfo;
  /** Shares sessions with other replicas. */
  readonly sessions: SessionStore | undefined;
  /** Receives each end of a negotiation, for the operator. */
  readonly onNegotiated: (ended: Negotiation | NegotiationFailure) => void;
  /** Monotonic time in ms. @default performance.now */
  readonly now?: (() => number) | undefined;
}

export type HttpUpstreamConfig = Extract<UpstreamConfig, { kind: "http" }>;

/** The first messages to an upstream are not waited for longer than this. */
const NEGOTIATION_MS = 10_000;
const SESSION_IDLE_MS = 600_000;
const MAX_SESSIONS = 10_000;
const END_SESSION_MS = 2_000;
/** An era is not doubted more often than this. */
const DOUBT_MS = 10_000;

/** An upstream reached by Streamable HTTP, in either era. */
export function createHttpUpstream(config: HttpUpstreamConfig, parts: HttpUpstreamParts): Upstream {
  return new HttpUpstream(config, parts);
}

class HttpUpstream implements Upstream {
  readonly options: HttpUpstreamConfig;
  readonly #parts: HttpUpstreamParts;
  readonly #channel: HttpChannel;
  readonly #negotiation: NegotiateOnce;
  readonly #now: () => number;
  /** What is unguessable in the progress tokens of this upstream. */
  readonly #nonce = randomBytes(9).toString("base64url");
  #tokens = 0;
  readonly #sweeper: NodeJS.Timeout;
  #sessions: SessionPool | undefined = undefined;
  #doubtedMs = Number.NEGATIVE_INFINITY;

  constructor(config: HttpUpstreamConfig, parts: HttpUpstreamParts) {
    this.options = config;
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    const { maxAnswerBytes, memory } = parts;
    const { name, credential } = config;
    const url = new URL(config.url);
    const channel = new HttpChannel({ name, url, credential, maxAnswerBytes, memory, now: this.#now });
    this.#channel = channel;
    this.#negotiation = new NegotiateOnce({
      run: () => negotiate({ era: config.era, ...this.#opening() }),
      onEnd: (ended) => this.#negotiated(ended),
      now: this.#now,
    });
    this.#sweeper = setInterval(() => this.#sessions?.sweep(), SESSION_IDLE_MS / 10);
    this.#sweeper.unref();
  }

  get about(): Negotiation["about"] | undefined {
    return this.#negotiation.current?.about;
  }

  ready(signal: AbortSignal): Revision | Fault | Promise<Revision | Fault> {
    const ready = this.#negotiation.ready(signal);
    return ready instanceof Promise ? ready.then(readyEra) : readyEra(ready);
  }

  send(given: UpstreamRequest): Promise<UpstreamReply> {
    this.#tokens += 1;
    const request = withOwnToken(given, `${this.#nonce}-${this.#tokens}`);
    const { current } = this.#negotiation;
    if (current !== undefined) return this.#sendTo(current, request);
    return Promise.resolve(this.#negotiation.ready(request.signal)).then((ready) => this.#sendTo(ready, request));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#sessions?.close();
    await this.#channel.close();
  }

  #sendTo(negotiated: Negotiation | Fault, request: UpstreamRequest): Promise<UpstreamReply> {
    if (!("era" in negotiated)) return Promise.resolve({ kind: "failed", fault: negotiated });
    const channel = this.#channel;
    const sessions = this.#sessions;
    if (!hasHandshake(negotiated.era) || sessions === undefined) return this.#sendAlone(request);
    return sendInSession(request, { channel, sessions, now: this.#now }).then(toUpstreamReply);
  }

  /** Everything is in the message itself. */
  async #sendAlone(request: UpstreamRequest): Promise<UpstreamReply> {
    const { method, target, id, params, timeoutMs, signal, onNotification, traceparent, caller } = request;
    const headers = messageHeaders(method, target);
    if (traceparent !== undefined) headers.push("traceparent", traceparent);
    for (const one of request.headers ?? []) headers.push(one);
    const posted = await this.#channel.post({
      headers,
      method,
      id,
      params,
      timeoutMs,
      holder: caller,
      signal,
      onNotification,
    });
    if (posted.kind === "answer" && posted.status !== 200 && isDoubtful(posted)) this.#doubt();
    return toUpstreamReply(posted);
  }

  /** The upstream may have been replaced by one of the other era: the next caller finds out. */
  #doubt(): void {
    const nowMs = this.#now();
    if (this.options.era !== "auto" || nowMs - this.#doubtedMs < DOUBT_MS) return;
    this.#doubtedMs = nowMs;
    this.#negotiation.forget();
  }

  #opening() {
    const timeoutMs = Math.min(NEGOTIATION_MS, this.options.timeoutMs);
    return { channel: this.#channel, client: this.#parts.client, timeoutMs };
  }

  #negotiated(ended: Negotiation | NegotiationFailure): void {
    this.#parts.onNegotiated(ended);
    if ("fault" in ended) return;
    const before = this.#sessions;
    this.#sessions = ended.session === undefined ? undefined : this.#poolOf(ended.session);
    void before?.close();
  }

  #poolOf(spare: OpenSession): SessionPool {
    const store = this.#parts.sessions;
    const options = {
      open: () => this.#open(),
      end: (session: OpenSession) => this.#channel.delete(sessionHeaders(session), END_SESSION_MS),
      store,
      name: this.options.name,
      maxSessions: MAX_SESSIONS,
      idleMs: SESSION_IDLE_MS,
      now: this.#now,
      // Replicas that share a session must not use the same id at the same time.
      idBase: store === undefined ? 0 : randomInt(1, 2 ** 21) * 2 ** 31,
    };
    return new SessionPool(options, spare);
  }

  async #open(): Promise<OpenSession | NegotiationFailure> {
    const opened = await initialize(this.#opening());
    if (!("fault" in opened)) return opened.session;
    if (opened.fault.reason === core.misconfigured.id) this.#doubt();
    return opened;
  }
}

function readyEra(ready: Negotiation | Fault): Revision | Fault {
  return "era" in ready ? ready.era : ready;
}
