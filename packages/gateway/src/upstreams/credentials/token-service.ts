import type { Observer } from "../../call/observer.ts";
import type { TokenClient } from "../../config/types.ts";
import type { UpstreamAccess } from "../connections.ts";
import { createTokenFetch, type TokenFetch } from "./token-fetch.ts";
import {
  type GrantKind,
  requestToken,
  type TokenAnswer,
  type TokenRefusal,
  TokenServiceError,
} from "./token-request.ts";

export interface TokenServiceOptions {
  readonly upstream: string;
  readonly client: TokenClient;
  /** Proxies and CAs, as for the upstream. @default it is reached directly, with a CA that Node knows */
  readonly route?: UpstreamAccess | undefined;
  readonly observer: Pick<Observer, "switched" | "log" | "tokenRequested">;
  /** Monotonic time in ms. */
  readonly now: () => number;
  /** How long one request may take. @default 10_000 */
  readonly timeoutMs?: number | undefined;
}

export interface TokenRequest {
  readonly grant: GrantKind;
  /** Tells requests apart: failures of several show that the service fails, those of one may be its own. */
  readonly key: string;
  readonly isWanted: () => boolean;
}

const TOKEN_REQUEST_MS = 10_000;
const MAX_REQUESTS_AT_ONCE = 16;
const MAX_WAITING_REQUESTS = 4_096;
/** This many different requests that fail in a row show that the service is down. */
const FAILING_REQUESTS = 3;
const FIRST_REST_MS = 250;
const MAX_REST_MS = 10_000;
const TELL_AGAIN_MS = 60_000;

/** The first pause after a failure, and twice the last one after another. */
export function nextPause(pauseMs: number): number {
  return Math.min(MAX_REST_MS, Math.max(FIRST_REST_MS, pauseMs * 2));
}

/**
 * One token service as the gateway uses it for one upstream. So many requests are under way at one moment, and a service that
 * fails is left alone for a while, then asked by one request before the others.
 */
export class TokenService {
  readonly #options: TokenServiceOptions;
  readonly #fetch: TokenFetch;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** Requests that failed since the service last gave an answer of substance. */
  readonly #failing = new Set<string>();
  #pauseMs = 0;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #probe: Promise<unknown> | undefined = undefined;
  #isAway = false;
  readonly #toldMs = new Map<TokenRefusal["outcome"], number>();

  constructor(options: TokenServiceOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TOKEN_REQUEST_MS;
    this.#fetch = createTokenFetch({
      url: new URL(options.client.tokenUrl),
      route: options.route,
      connections: MAX_REQUESTS_AT_ONCE,
      timeoutMs: this.#timeoutMs,
    });
  }

  /** Asks for a token, in its turn. It never rejects. */
  async ask(tokenRequest: TokenRequest): Promise<TokenAnswer> {
    while (this.#isDown) {
      const refused = this.#paused();
      if (refused !== undefined) return refused;
      if (this.#probe === undefined) return this.#sendProbe(tokenRequest);
      await this.#probe;
    }
    if (!(await this.#turn())) return OVERLOADED;
    try {
      // What was learned meanwhile counts for those who waited.
      if (this.#isDown) return this.#paused() ?? PAUSED;
      return tokenRequest.isWanted() ? await this.#send(tokenRequest) : UNWANTED;
    } finally {
      this.#nextTurn();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#fetch.close();
  }

  get #isDown(): boolean {
    return this.#failing.size >= FAILING_REQUESTS;
  }

  #paused(): TokenRefusal | undefined {
    const restMs = this.#notBeforeMs - this.#options.now();
    if (restMs <= 0) return undefined;
    return { ...PAUSED, afterMs: Math.ceil(restMs) };
  }

  async #sendProbe(tokenRequest: TokenRequest): Promise<TokenAnswer> {
    const sending = this.#send(tokenRequest);
    this.#probe = sending;
    try {
      return await sending;
    } finally {
      this.#probe = undefined;
    }
  }

  async #send({ grant, key }: TokenRequest): Promise<TokenAnswer> {
    const { client, observer, upstream } = this.#options;
    const late = AbortSignal.timeout(this.#timeoutMs);
    const signal = AbortSignal.any([late, this.#closing.signal]);
    const sentMs = this.#options.now();
    const answer = await requestToken(grant, { client, fetch: this.#fetch.fetch, signal });
    if (this.#closing.signal.aborted) return answer;
    observer.tokenRequested?.(upstream, answer.outcome);
    if (answer.outcome === "given" || answer.outcome === "refused") this.#works(answer);
    else this.#fails(answer, { key, isOwn: grant.kind === "own", sentMs });
    return answer;
  }

  /** The service has answered a caller. That it refuses one caller does not show that it serves others. */
  #works(answer: TokenAnswer): void {
    this.#failing.clear();
    this.#pauseMs = 0;
    if (answer.outcome !== "given") {
      this.#tell(answer);
      return;
    }
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#options.observer.switched(this.#control, "back", "tokens are given");
  }

  #fails(answer: TokenRefusal, by: { readonly key: string; readonly isOwn: boolean; readonly sentMs: number }): void {
    const { observer, now } = this.#options;
    if (this.#failing.size < FAILING_REQUESTS) this.#failing.add(by.key);
    // Requests that were under way when it was found to be away say nothing new.
    if (this.#isDown && by.sentMs >= this.#notBeforeMs) {
      this.#pauseMs = Math.max(nextPause(this.#pauseMs), answer.afterMs ?? 0);
      this.#notBeforeMs = now() + this.#pauseMs;
    }
    this.#tell(answer);
    if (this.#isAway || !(answer.isForAll || by.isOwn || this.#isDown)) return;
    this.#isAway = true;
    observer.switched(this.#control, "away", AWAY_ANSWERS[answer.outcome]);
  }

  /** Tells the operator why there is no token, not more often than once in a while for each outcome. */
  #tell({ outcome, cause }: TokenRefusal): void {
    const { observer, upstream, now } = this.#options;
    if (now() - (this.#toldMs.get(outcome) ?? Number.NEGATIVE_INFINITY) < TELL_AGAIN_MS) return;
    this.#toldMs.set(outcome, now());
    const { message, said } = cause;
    const facts = { upstream, outcome, cause: message, ...(said !== undefined && { said }) };
    observer.log("warn", "A token service gave no token.", facts);
  }

  /** Waits for a turn; false if too many wait. */
  async #turn(): Promise<boolean> {
    if (this.#running < MAX_REQUESTS_AT_ONCE) {
      this.#running += 1;
      return true;
    }
    if (this.#waiting.length >= MAX_WAITING_REQUESTS) return false;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return true;
  }

  /** The turn passes on, so the number that runs stays the same. */
  #nextTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  get #control(): `credential of ${string}` {
    return `credential of ${this.#options.upstream}`;
  }
}

/** What callers get while there are no tokens. */
const AWAY_ANSWERS = {
  unavailable: "calls with a kept token continue, others are refused with a wait",
  misconfigured: "calls with a kept token continue, others are refused",
  refused: "calls are refused",
} as const satisfies Record<TokenRefusal["outcome"], string>;

const PAUSED: TokenRefusal = {
  outcome: "unavailable",
  isForAll: false,
  isUnasked: true,
  afterMs: FIRST_REST_MS,
  cause: new TokenServiceError("not asked, since it failed a moment ago"),
};
const OVERLOADED: TokenRefusal = {
  outcome: "unavailable",
  isForAll: false,
  isUnasked: true,
  afterMs: 1_000,
  cause: new TokenServiceError("not asked, since too many requests wait for it"),
};
const UNWANTED: TokenRefusal = {
  outcome: "unavailable",
  isForAll: false,
  isUnasked: true,
  cause: new TokenServiceError("not asked, since no call waits for the answer any more"),
};
