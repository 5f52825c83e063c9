import { checkNumbers, MAX_TIMER_MS, type NumberRange } from "@recourse/wire";
import type { ProxyChoice } from "@recourse/wire/node";
import type { AllowPrivate, ResolveHostname } from "./addresses.ts";

/** Limits and rules for the requests of a bridge. */
export interface NetworkOptions {
  /**
   * Private addresses that requests may reach: `true` for all, or ranges such as `["10.1.0.0/16"]`. With `from-start` a host
   * that had a public address at its first look-up is never reached at a private one; other hosts are.
   *
   * @default false
   */
  readonly allowPrivate?: AllowPrivate;
  /**
   * Redirects that are followed. `same-origin` follows up to three redirects of GET and HEAD requests, within the same
   * origin and below the base address.
   *
   * @default "none"
   */
  readonly redirects?: "none" | "same-origin";
  /**
   * How long connecting may take, in ms.
   *
   * @default 5_000
   */
  readonly connectTimeoutMs?: number;
  /**
   * How long the service may take from the request to the head of the reply, in ms.
   *
   * @default 30_000
   */
  readonly headersTimeoutMs?: number;
  /**
   * How long the service may pause between two pieces of the body, in ms.
   *
   * @default 15_000
   */
  readonly bodyTimeoutMs?: number;
  /**
   * How long a call may take, in ms: with redirects, and with the second attempt after a token was refused.
   *
   * @default 60_000
   */
  readonly deadlineMs?: number;
  /**
   * The size limit of a reply after decompression, in bytes.
   *
   * @default 1_048_576
   */
  readonly maxResponseBytes?: number;
  /**
   * The size limit of the body of a request, in bytes.
   *
   * @default 10_485_760
   */
  readonly maxRequestBytes?: number;
  /**
   * How many requests run at the same time. Up to eight times as many wait for their turn; further requests fail at once.
   *
   * @default 64
   */
  readonly concurrency?: number;
  /**
   * Resolves host names. All addresses of a host have to be allowed.
   *
   * @default the resolver of the system
   */
  readonly lookup?: ResolveHostname;
  /**
   * Chooses the proxy for an address. The proxy resolves host names then, so `allowPrivate` holds only for addresses that
   * are written as such.
   *
   * @default no proxy is used
   */
  readonly proxy?: ProxyChoice | undefined;
  /**
   * Certificates of CAs, in PEM, that are trusted beside those that Node knows.
   *
   * @default none
   */
  readonly ca?: readonly string[] | undefined;
}

const DEFAULT_NETWORK_LIMITS = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 15_000,
  deadlineMs: 60_000,
  maxResponseBytes: 1_048_576,
  maxRequestBytes: 10_485_760,
  concurrency: 64,
};

/** The limits of a network, with every default filled in. */
export type NetworkLimits = typeof DEFAULT_NETWORK_LIMITS;

const NETWORK_RANGE = { min: 1, max: MAX_TIMER_MS, whole: true } as const satisfies NumberRange;

const NETWORK_RANGES = {
  connectTimeoutMs: NETWORK_RANGE,
  headersTimeoutMs: NETWORK_RANGE,
  bodyTimeoutMs: NETWORK_RANGE,
  deadlineMs: NETWORK_RANGE,
  maxResponseBytes: NETWORK_RANGE,
  maxRequestBytes: NETWORK_RANGE,
  concurrency: NETWORK_RANGE,
} as const satisfies Record<keyof NetworkLimits, NumberRange>;

/** Fills in the defaults. Throws for a number that is out of its range. */
export function resolveLimits(options: NetworkOptions): NetworkLimits {
  checkNumbers("network", options, NETWORK_RANGES);
  const limits = { ...DEFAULT_NETWORK_LIMITS };
  for (const name of Object.keys(limits) as (keyof NetworkLimits)[]) limits[name] = options[name] ?? limits[name];
  return limits;
}

/** Limits how many tasks run at the same time. Others wait in the order in which they came. */
interface Semaphore {
  /** Waits for a permit, and returns the function that releases it. Undefined when the queue is full. Rejects on abort. */
  acquire(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Options of a semaphore. */
interface SemaphoreOptions {
  /** How many tasks may run at the same time. */
  readonly permits: number;
  /** How many tasks may wait. */
  readonly maxWaiting: number;
}

/** Makes a semaphore with a bounded queue: a task that could not run soon fails at once. */
export function createSemaphore({ permits, maxWaiting }: SemaphoreOptions): Semaphore {
  const queue = new Set<() => void>();
  let free = permits;

  function createRelease(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = queue;
      if (next === undefined) free += 1;
      else next();
    };
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return createRelease();
      }
      if (queue.size >= maxWaiting) return undefined;
      return new Promise((resolve, reject) => {
        const admit = () => {
          queue.delete(admit);
          signal.removeEventListener("abort", giveUp);
          resolve(createRelease());
        };
        const giveUp = () => {
          queue.delete(admit);
          reject(signal.reason);
        };
        queue.add(admit);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
