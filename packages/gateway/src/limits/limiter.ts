import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import {
  type LimitAnswer,
  type LimitRefused,
  type LimitShortage,
  type Limits,
  memoryLimits,
  type RedisClient,
  redisLimits,
} from "@recourse/stores/redis";
import type { Call } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { inBackground, type Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Redis } from "../stores/redis.ts";
import { type Claims, createClaimRules, type ScopedBucket } from "./claims.ts";

export interface Limiter {
  /** A fault with the true wait if a limit is used up. It waits only if the store has to be asked. */
  take(call: Call): Fault | undefined | Promise<Fault | undefined>;
  /** Counts messages that are refused before their limits are known. */
  readonly refusedMessages: RefusedMessages;
  readonly isAway: boolean;
  close(): Promise<void>;
}

type LimiterStores =
  | { readonly mode: "memory" }
  /** A client or cluster without an offline queue. */
  | { readonly mode: "shared"; readonly redis: RedisClient & Pick<Redis, "isOneServer"> };

/** A call that is refused because the store is down may come again after this time, in ms. */
const AWAY_RETRY_MS = 500;

/** Makes the limits of a gateway. What is wrong with the setup of the store is logged. */
export function createLimiter(
  config: Pick<GatewayConfig, "limits" | "away" | "name">,
  stores: LimiterStores,
  observer: Pick<Observer, "switched" | "log" | "unexpected">,
  { now = () => performance.now() }: { readonly now?: () => number } = {},
): Limiter {
  const { limits, away, name } = config;
  const claimed = createClaimRules(config);
  const faults = limitFaults(name);
  const testing = { clock: { monotonic: now } };
  const local = memoryLimits({ testing });
  const store = storeOf();

  function storeOf(): Limits {
    if (stores.mode === "memory") return local;
    const onSwitch = (state: "away" | "back", cause: unknown) => {
      observer.switched("limits", state, away.limits);
      if (state === "away")
        observer.log("warn", "The store of the limits does not answer.", { cause: limiterCause(cause) });
    };
    const { redis: client } = stores;
    const { mode } = limits;
    return redisLimits({ client, oneServer: client.isOneServer === true, replica: name, mode, onSwitch, testing });
  }

  /** The fault for an answer, or undefined if the call may continue. */
  const settle = (answer: LimitAnswer, claims: Claims, call: Call): Fault | undefined | Promise<Fault | undefined> => {
    if (answer.ok) return undefined;
    if (!answer.away) return refuse(answer, call);
    switch (away.limits) {
      case "closed":
        return faults.away();
      case "open":
        return undefined;
      case "local": {
        const ours = local.take(claims.local);
        return ours instanceof Promise ? ours.then((one) => settleLocally(one, call)) : settleLocally(ours, call);
      }
      default:
        return away.limits satisfies never;
    }
  };
  const settleLocally = (answer: LimitAnswer, call: Call): Fault | undefined => {
    if (answer.ok) return undefined;
    return answer.away ? faults.away() : refuse(answer, call);
  };
  const refuse = (answer: LimitRefused, call: Call): Fault => {
    call.limitedBy = limitBehind(answer);
    return faults.refused(answer);
  };

  const checked = store.check().then((warnings) => {
    for (const warning of warnings) observer.log("warn", warning);
  });
  inBackground("check of the limits", observer, checked);
  return {
    take(call) {
      const claims = claimed.call(call);
      if (claims === undefined) return undefined;
      const answer = store.take(claims.shared);
      return answer instanceof Promise ? answer.then((one) => settle(one, claims, call)) : settle(answer, claims, call);
    },
    refusedMessages: new RefusedMessages({
      take(caller, bytes) {
        const claims = claimed.refused(caller, bytes);
        return claims && store.take(claims.shared);
      },
      refused: faults.refused,
      now,
    }),
    get isAway() {
      return store.isAway;
    },
    close: () => store.close(),
  };
}

function limiterCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function limitFaults(name: string) {
  const origin = { layer: "gateway", name } as const;
  return {
    /** A limit is used up. The first row is the one that lasts longest. */
    refused({ waitMs, short }: LimitRefused): Fault {
      const rows = short.toSorted((a, b) => b.waitMs - a.waitMs).map(limitRow);
      const [{ quota, windowMs } = { quota: 1, windowMs: 1 }] = rows;
      return core.rate_limited.fault(
        { limit: quota, windowMs },
        { effect: "none", retry: { allowed: true, afterMs: waitMs }, limits: rows, origin },
      );
    },
    /** Nothing is known about the limits. */
    away(): Fault {
      return core.unavailable.fault({}, { effect: "none", retry: { allowed: true, afterMs: AWAY_RETRY_MS }, origin });
    },
  };
}

/** The name of the limit that lasts longest: the pattern of a limit for tools, else what the limit is about. */
function limitBehind({ short }: LimitRefused): string {
  const { bucket } = short.reduce((longest, one) => (one.waitMs > longest.waitMs ? one : longest));
  const { scope, id } = bucket as ScopedBucket;
  return scope === "tool" ? id.slice("tool:".length) : scope;
}

function limitRow({ bucket, waitMs }: LimitShortage) {
  const { perSecond, burst, scope } = bucket as ScopedBucket;
  return {
    policy: scope,
    unit: scope === "cost" ? "units" : "calls",
    quota: burst,
    remaining: 0,
    windowMs: Math.ceil((burst / perSecond) * 1_000),
    resetMs: waitMs,
    scope: scope === "cost" ? "tenant" : scope,
  };
}

/** Whose limit is used up is not read for this time at most, so that it can soon do what costs no token. */
const MAX_REFUSAL_PAUSE_MS = 1_000;

interface CallerPause {
  readonly answer: LimitRefused;
  readonly atMs: number;
}

interface RefusedMessagesOptions {
  /** Takes tokens of the caller for a message of this many bytes; undefined if it has no limits. */
  readonly take: (caller: Caller, bytes: number) => LimitAnswer | Promise<LimitAnswer> | undefined;
  readonly refused: (answer: LimitRefused) => Fault;
  readonly now: () => number;
}

/**
 * Counts messages that are refused before their limits are known: each costs its caller a token, and a large one more. When
 * too few are left, nothing is read from the caller for a moment, so its limits bound what its messages cost too.
 */
export class RefusedMessages {
  readonly #options: RefusedMessagesOptions;
  readonly #paused = new WeakMap<Caller, CallerPause>();

  constructor(options: RefusedMessagesOptions) {
    this.#options = options;
  }

  /**
   * Takes tokens for a message; the fault of the limit if too few are left. While the store is down, nothing is taken.
   */
  count(caller: Caller, bytes: number): Fault | undefined | Promise<Fault | undefined> {
    const answer = this.#options.take(caller, bytes);
    return answer instanceof Promise ? answer.then((one) => this.#settle(caller, one)) : this.#settle(caller, answer);
  }

  /** The fault for a caller that is not read at the moment. */
  check(caller: Caller): Fault | undefined {
    const paused = this.#paused.get(caller);
    if (paused === undefined) return undefined;
    const { answer, atMs } = paused;
    const passedMs = this.#options.now() - atMs;
    if (passedMs >= Math.min(answer.waitMs, MAX_REFUSAL_PAUSE_MS)) {
      this.#paused.delete(caller);
      return undefined;
    }
    const leftOf = (waitMs: number) => Math.max(1, Math.ceil(waitMs - passedMs));
    const [first, ...others] = answer.short;
    return this.#options.refused({
      ...answer,
      waitMs: leftOf(answer.waitMs),
      short: [
        { ...first, waitMs: leftOf(first.waitMs) },
        ...others.map((one) => ({ ...one, waitMs: leftOf(one.waitMs) })),
      ],
    });
  }

  #settle(caller: Caller, answer: LimitAnswer | undefined): Fault | undefined {
    if (answer === undefined || answer.ok || answer.away) return undefined;
    this.#paused.set(caller, { answer, atMs: this.#options.now() });
    return this.#options.refused(answer);
  }
}
