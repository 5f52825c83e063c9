import { randomBytes, randomInt } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { hasHandshake, type Revision, sleep } from "@recourse/core/wire";
import type { Abilities } from "../../call/abilities.ts";
import type { Ending } from "../../call/ending.ts";
import type { Observer } from "../../call/observer.ts";
import type { SessionAddress, Upstream, UpstreamReply, UpstreamRequest } from "../../call/upstream.ts";
import type { UpstreamConfig } from "../../config/types.ts";
import type { FairPool } from "../../limits/fair-pool.ts";
import { upstreamHolder } from "../../limits/shares.ts";
import type { SessionStore } from "../../stores/redis.ts";
import { isTokenFault } from "../credentials/token-faults.ts";
import type { MessageSender, UpstreamTokens } from "../credentials/upstream-tokens.ts";
import { type ClientInfo, readMethod, withOwnToken } from "../message.ts";
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
import { SessionPool, type SessionWait, UpstreamSession } from "./session-pool.ts";
import { sendInSession } from "./session-sender.ts";
import { SessionStreams } from "./session-streams.ts";

export interface HttpUpstreamParts {
  readonly maxAnswerBytes: number;
  readonly memory: FairPool;
  readonly client: ClientInfo;
  /** Shares sessions with other replicas. */
  readonly sessions: SessionStore | undefined;
  /**
   * The tokens that it is shown, if its credential is fetched. It closes them. @default its credential is sent as it is
   */
  readonly tokens?: UpstreamTokens | undefined;
  /** Receives each end of a negotiation, for the operator. */
  readonly onNegotiated: (ended: Negotiation | NegotiationFailure) => void;
  /** Receives what the operator should know. @default nothing is logged */
  readonly observer?: Pick<Observer, "log"> | undefined;
  /** Receives notifications that belong to no call, such as changed lists. @default they are dropped */
  readonly onNotification?: ((upstream: string, method: string, message: Buffer) => void) | undefined;
  /** How long the stream of a session stays open after its last call, in ms. @default 60_000 */
  readonly lingerMs?: number | undefined;
  /** Monotonic time in ms. @default performance.now */
  readonly now?: (() => number) | undefined;
}

export type HttpUpstreamConfig = Extract<UpstreamConfig, { kind: "http" }>;

/** The gateway waits no longer than this for the first messages to an upstream. */
const NEGOTIATION_MS = 10_000;
const SESSION_IDLE_MS = 600_000;
const MAX_SESSIONS = 10_000;
const END_SESSION_MS = 2_000;
/** An era is not doubted more often than this. */
const DOUBT_MS = 10_000;
/** How long the answer to a request of the upstream may take to arrive there, each time it is sent. */
const REPLY_MS = 5_000;
/** The pause before a session that could not be opened is tried again for those who follow it. */
const FOLLOW_PAUSE_MS = 5_000;
/** How often the log says that answers to one upstream were lost. */
const LOST_LOG_MS = 10_000;

interface OlderParts {
  readonly sessions: SessionPool;
  readonly streams: SessionStreams;
}

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
  #older: OlderParts | undefined = undefined;
  #lostMs = Number.NEGATIVE_INFINITY;
  #doubtedMs = Number.NEGATIVE_INFINITY;
  readonly #closing = new AbortController();

  constructor(config: HttpUpstreamConfig, parts: HttpUpstreamParts) {
    this.options = config;
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    const { maxAnswerBytes, memory, tokens } = parts;
    const { name, credential } = config;
    const url = new URL(config.url);
    const given = { name, url, route: config, credential, tokens, maxAnswerBytes, memory, now: this.#now };
    const channel = new HttpChannel(given);
    this.#channel = channel;
    this.#negotiation = new NegotiateOnce({
      run: () => negotiate({ era: config.era, ...this.#opening() }),
      onEnd: (ended) => this.#negotiated(ended),
      now: this.#now,
    });
    this.#sweeper = setInterval(() => this.#older?.sessions.sweep(), SESSION_IDLE_MS / 10);
    this.#sweeper.unref();
  }

  get about(): Negotiation["about"] | undefined {
    return this.#negotiation.current?.about;
  }

  ready(signal: Ending): Revision | Fault | Promise<Revision | Fault> {
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
    this.#closing.abort();
    this.#older?.streams.close();
    await this.#older?.sessions.close();
    await this.#channel.close();
    await this.#parts.tokens?.close();
  }

  forget(session: string): void {
    void this.#older?.sessions.drop(session, upstreamHolder(this.options.name));
  }

  follow(address: SessionAddress, onNotification: (message: Buffer) => void, signal: AbortSignal): void {
    void this.#follow(address, onNotification, AbortSignal.any([signal, this.#closing.signal]));
  }

  async #follow(
    address: SessionAddress,
    onNotification: (message: Buffer) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { session: key, caller, abilities, subjectToken } = address;
    while (!signal.aborted) {
      const ready = await this.#negotiation.ready(signal);
      const older = this.#older;
      if ("era" in ready && older === undefined) return;
      const wait = { holder: caller, signal, timeoutMs: NEGOTIATION_MS, abilities, subjectToken };
      const session = await older?.sessions.get(key, wait);
      if (older !== undefined && session !== undefined && !("fault" in session)) {
        if (session.id !== undefined) session.channel = this.#channelFor(address).beside();
        older.streams.follow(key, session, onNotification, signal);
        return;
      }
      await sleep(FOLLOW_PAUSE_MS, signal).catch(() => undefined);
    }
  }

  #channelFor({
    caller,
    subjectToken,
    onCredential,
  }: MessageSender & Pick<UpstreamRequest, "onCredential">): HttpChannel {
    return this.#parts.tokens === undefined ? this.#channel : this.#channel.as({ caller, subjectToken }, onCredential);
  }

  /** The connections for the end of a session, in the name of its caller. */
  #channelBeside(session: OpenSession): HttpChannel {
    return session instanceof UpstreamSession ? this.#channel.as({ caller: session.holder }).beside() : this.#channel;
  }

  #sendTo(negotiated: Negotiation | Fault, request: UpstreamRequest): Promise<UpstreamReply> {
    if (!("era" in negotiated)) return Promise.resolve({ kind: "failed", fault: negotiated });
    const older = this.#older;
    if (!hasHandshake(negotiated.era) || older === undefined) return this.#sendAlone(request);
    const channel = this.#channelFor(request);
    const { sessions, streams } = older;
    const hasLogLevels = negotiated.about.capabilities["logging"] !== undefined;
    const options = { channel, sessions, streams, hasLogLevels, reply: this.#reply, now: this.#now };
    return sendInSession(request, options).then(toUpstreamReply);
  }

  /** Everything is in the message itself. */
  #sendAlone(request: UpstreamRequest): Promise<UpstreamReply> {
    const { method, target, id, params, timeoutMs, signal, onNotification, traceparent, caller } = request;
    const headers = messageHeaders(method, target);
    if (traceparent !== undefined) headers.push("traceparent", traceparent);
    for (const one of request.headers ?? []) headers.push(one);
    const posting = this.#channelFor(request).post({
      headers,
      method,
      id,
      params,
      timeoutMs,
      holder: caller,
      signal,
      onNotification,
    });
    return posting.then((posted) => {
      if (posted.kind === "answer" && posted.status !== 200 && isDoubtful(posted)) this.#doubt();
      return toUpstreamReply(posted);
    });
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
    const before = this.#older;
    this.#older = ended.session === undefined ? undefined : this.#openOlder(ended.session);
    before?.streams.close();
    void before?.sessions.close();
  }

  #openOlder(spare: OpenSession): OlderParts {
    const { onNotification, lingerMs } = this.#parts;
    const { name } = this.options;
    const streams = new SessionStreams({
      name,
      listen: (session, listening) =>
        (session.channel ?? this.#channel).listen({
          ...listening,
          headers: sessionHeaders(session),
          holder: session.holder,
        }),
      reply: this.#reply,
      onStray(message) {
        const method = readMethod(message);
        if (typeof method === "string") onNotification?.(name, method, message);
      },
      lingerMs,
      now: this.#now,
    });
    return { streams, sessions: this.#openPool(spare, streams) };
  }

  /** Answers a request of the upstream. What a person has answered is not lost silently. */
  readonly #reply = async (
    session: UpstreamSession,
    message: Buffer,
    channel = session.channel ?? this.#channel,
  ): Promise<void> => {
    const headers = sessionHeaders(session);
    if ((await channel.reply(headers, message, REPLY_MS)) === undefined) return;
    const cause = await channel.reply(headers, message, REPLY_MS);
    if (cause === undefined || this.#closing.signal.aborted || this.#now() - this.#lostMs < LOST_LOG_MS) return;
    this.#lostMs = this.#now();
    const facts = { upstream: this.options.name, cause: String(cause) };
    this.#parts.observer?.log("warn", "The answer to a request of an upstream did not arrive there.", facts);
  };

  #openPool(spare: OpenSession, streams: SessionStreams): SessionPool {
    const store = this.#parts.sessions;
    const options = {
      open: (abilities: Abilities, wait: SessionWait) => this.#open(abilities, wait),
      isBusy: (key: string) => streams.isBusy(key),
      onGone: (key: string) => streams.drop(key),
      end: (session: OpenSession) => this.#channelBeside(session).delete(sessionHeaders(session), END_SESSION_MS),
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

  async #open(abilities: Abilities, { holder, subjectToken }: SessionWait): Promise<OpenSession | NegotiationFailure> {
    const channel = this.#channelFor({ caller: holder, subjectToken });
    const opened = await initialize({ ...this.#opening(), channel, abilities });
    if (!("fault" in opened)) return opened.session;
    if (opened.fault.reason === core.misconfigured.id && !isTokenFault(opened.fault)) this.#doubt();
    return opened;
  }
}

function readyEra(ready: Negotiation | Fault): Revision | Fault {
  return "era" in ready ? ready.era : ready;
}
