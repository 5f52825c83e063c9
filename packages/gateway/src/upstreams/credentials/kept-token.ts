import { MIN_SECRET_LENGTH, registerSecrets } from "@recourse/core";
import { ABORTED, race, sleep, TIMED_OUT } from "@recourse/core/wire";
import type { GrantKind, TokenRefusal } from "./token-request.ts";
import { nextPause, type TokenService } from "./token-service.ts";

export interface ShownToken {
  readonly value: string;
  /** The header that it is shown in: name and value. */
  readonly header: readonly [string, string];
}

interface HeldToken extends ShownToken {
  /** From then on another one is fetched, while this one is still shown. */
  readonly refreshMs: number;
  /** From then on callers wait for another one. */
  readonly usableMs: number;
  /** From then on it is not shown, whatever happens. */
  readonly endMs: number;
}

/** Who waits for a token, and how long. */
export interface TokenWait {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Why no token came in time: the caller has left, or its time is over. */
export type TokenWaitEnd = typeof ABORTED | typeof TIMED_OUT;

interface KeptTokenOptions {
  readonly service: Pick<TokenService, "ask">;
  /** Tells it apart from other tokens of the service. */
  readonly key: string;
  /** Monotonic time in ms. */
  readonly now: () => number;
  /** How long a token is kept at most, from now; for one that ends with the token it was made from. @default as the service says */
  readonly maxLifeMs?: (() => number) | undefined;
  /** Its value is kept out of every log of this process. Only for few tokens: all texts are searched for it. @default false */
  readonly isRegistered?: boolean;
}

/** How long a token is kept if its service does not say how long it is valid. */
const UNKNOWN_LIFE_MS = 300_000;
const MAX_LIFE_MS = 86_400_000;
/** A service that gives tokens without any life is not asked for each call. */
const MIN_LIFE_MS = 1_000;
/** A token ends for the gateway so long before its end, at most: the message still has to arrive. */
const MAX_MARGIN_MS = 60_000;
const MIN_MARGIN_MS = 1_000;
const REFUSAL_MS = 5_000;
/** An upstream that refuses every token makes new ones be fetched no more often than this. */
const RENEWAL_MS = 5_000;

/** One token that is fetched when it is needed, kept until shortly before its end, and shared by all who need it. */
export class KeptToken {
  readonly #options: KeptTokenOptions;
  #held: HeldToken | undefined = undefined;
  #fetching: Promise<ShownToken | TokenRefusal> | undefined = undefined;
  #waiters = 0;
  #isRefreshing = false;
  #refusal: TokenRefusal | undefined = undefined;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #pauseMs = 0;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #release: (() => void) | undefined = undefined;

  constructor(options: KeptTokenOptions) {
    this.#options = options;
  }

  /** The token, or why it is missing. It waits only if no token can be shown. */
  get(
    grant: GrantKind,
    wait: TokenWait,
  ): ShownToken | TokenRefusal | Promise<ShownToken | TokenRefusal | TokenWaitEnd> {
    const held = this.#held;
    const nowMs = this.#options.now();
    if (held !== undefined && nowMs < held.refreshMs) return held;
    const isPaused = nowMs < this.#notBeforeMs;
    if (held !== undefined && nowMs < held.usableMs) {
      if (!isPaused) this.#refresh(grant);
      return held;
    }
    if (this.#fetching === undefined && isPaused && this.#refusal !== undefined) {
      // While none can be fetched the old one does, as long as it counts.
      if (held !== undefined && nowMs < held.endMs) return held;
      return { ...this.#refusal, afterMs: Math.ceil(this.#notBeforeMs - nowMs) };
    }
    return this.#wait(grant, wait);
  }

  /**
   * The upstream has refused a token: it is forgotten for all. True if another attempt makes sense: there is another
   * token, or one may be fetched.
   */
  refuse(token: ShownToken): boolean {
    if (this.#held !== token) return true;
    const nowMs = this.#options.now();
    if (nowMs - this.#renewedMs < RENEWAL_MS) return false;
    this.#renewedMs = nowMs;
    this.#forget();
    return true;
  }

  /** The token that is kept; undefined if none is kept, or it has expired. */
  get current(): ShownToken | undefined {
    return this.#held !== undefined && this.#options.now() < this.#held.endMs ? this.#held : undefined;
  }

  get isEmpty(): boolean {
    return this.current === undefined && this.#fetching === undefined && this.#options.now() >= this.#notBeforeMs;
  }

  close(): void {
    this.#forget();
  }

  #refresh(grant: GrantKind): void {
    if (this.#fetching !== undefined) return;
    this.#isRefreshing = true;
    this.#fetching = this.#fetch(grant);
  }

  async #wait(grant: GrantKind, { timeoutMs, signal }: TokenWait): Promise<ShownToken | TokenRefusal | TokenWaitEnd> {
    this.#fetching ??= this.#fetch(grant);
    this.#waiters += 1;
    const got = await race(this.#fetching, { signal, ms: timeoutMs, sleep });
    this.#waiters -= 1;
    const held = this.#held;
    const isUnknown = got === TIMED_OUT || (got !== ABORTED && "outcome" in got && got.outcome !== "refused");
    return isUnknown && held !== undefined && this.#options.now() < held.endMs ? held : got;
  }

  async #fetch(grant: GrantKind): Promise<ShownToken | TokenRefusal> {
    const { service, key, now } = this.#options;
    const askedMs = now();
    const isWanted = () => this.#waiters > 0 || this.#isRefreshing;
    const answer = await service.ask({ grant, key, isWanted });
    this.#fetching = undefined;
    this.#isRefreshing = false;
    if (answer.outcome === "given") return this.#keep(answer.value, answer.lifeMs, askedMs);
    if (answer.outcome === "refused") this.#forget();
    this.#refusal = answer;
    // Only what was asked can have failed again.
    if (answer.isUnasked !== true) this.#pauseMs = answer.outcome === "refused" ? REFUSAL_MS : nextPause(this.#pauseMs);
    const pauseMs = answer.isUnasked === true ? 0 : this.#pauseMs;
    this.#notBeforeMs = now() + Math.max(pauseMs, answer.afterMs ?? 0);
    return answer;
  }

  #keep(value: string, givenMs: number | undefined, askedMs: number): ShownToken {
    const { maxLifeMs, isRegistered } = this.#options;
    const statedMs = Math.max(MIN_LIFE_MS, Math.min(givenMs ?? UNKNOWN_LIFE_MS, MAX_LIFE_MS));
    const lifeMs = Math.max(0, Math.min(statedMs, maxLifeMs?.() ?? statedMs));
    const marginMs = Math.max(Math.min(MAX_MARGIN_MS, lifeMs / 10), Math.min(MIN_MARGIN_MS, lifeMs / 2));
    const endMs = askedMs + lifeMs;
    this.#forget();
    this.#refusal = undefined;
    this.#pauseMs = 0;
    this.#notBeforeMs = Number.NEGATIVE_INFINITY;
    this.#held = {
      value,
      header: ["authorization", `Bearer ${value}`],
      refreshMs: endMs - Math.min(2 * marginMs, lifeMs / 2),
      usableMs: endMs - marginMs,
      endMs,
    };
    if (isRegistered === true && value.length >= MIN_SECRET_LENGTH) this.#release = registerSecrets(value);
    return this.#held;
  }

  #forget(): void {
    this.#held = undefined;
    this.#release?.();
    this.#release = undefined;
  }
}
