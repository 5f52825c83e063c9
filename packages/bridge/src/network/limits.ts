import type { ProxyChoice } from "@recourse/core/node";
import { checkNumber, MAX_TIMER_MS } from "@recourse/core/wire";
import type { AllowPrivate, ResolveHostname } from "./addresses.ts";

/** Limits and rules for the requests of a bridge. */
export interface NetworkOptions {
  /**
   * Private addresses that requests may reach: `true` for all, or ranges such as `["10.1.0.0/16"]`. With `from-start` a host
   * that had a public address at its first look-up is never reached at a private one; other hosts are. @default false
   */
  readonly allowPrivate?: AllowPrivate;
  /** How long connecting may take, in ms. @default 5_000 */
  readonly connectTimeoutMs?: number;
  /** How long the service may take from the request to the head of the reply, in ms. @default 30_000 */
  readonly headersTimeoutMs?: number;
  /** How long the service may pause between two pieces of the body, in ms. @default 15_000 */
  readonly bodyTimeoutMs?: number;
  /** How long a call may take, in ms, with the second attempt after a token was refused. @default 60_000 */
  readonly deadlineMs?: number;
  /** The size limit of a reply after decompression, in bytes. @default 1_048_576 */
  readonly maxResponseBytes?: number;
  /** The size limit of the body of a request, in bytes. @default 10_485_760 */
  readonly maxRequestBytes?: number;
  /**
   * How many requests run at the same time. Up to eight times as many wait for their turn; further requests fail at once.
   * @default 64
   */
  readonly concurrency?: number;
  /** Resolves host names. All addresses of a host have to be allowed. @default the resolver of the system */
  readonly lookup?: ResolveHostname;
  /**
   * Chooses the proxy for an address. The proxy resolves host names then, so `allowPrivate` holds only for addresses that
   * are written as such. @default no proxy is used
   */
  readonly proxy?: ProxyChoice | undefined;
  /** Certificates of CAs, in PEM, that are trusted beside those that Node knows. @default none */
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

export type NetworkLimits = typeof DEFAULT_NETWORK_LIMITS;

const NETWORK_RANGE = { min: 1, max: MAX_TIMER_MS, whole: true } as const;

export function resolveLimits(options: NetworkOptions): NetworkLimits {
  const limits = { ...DEFAULT_NETWORK_LIMITS };
  for (const name of Object.keys(limits) as (keyof NetworkLimits)[]) {
    checkNumber(`network.${name}`, options[name], NETWORK_RANGE);
    limits[name] = options[name] ?? limits[name];
  }
  return limits;
}

interface SemaphoreOptions {
  readonly permits: number;
  readonly maxWaiting: number;
}

/** Runs a task in its turn; undefined if the queue is full. It rejects if the signal is aborted while the task waits. */
type RunInTurn = <T>(signal: AbortSignal, task: () => Promise<T>) => Promise<T | undefined>;

/** Makes a semaphore with a bounded queue: a task that could not run soon fails at once. */
export function createSemaphore({ permits, maxWaiting }: SemaphoreOptions): RunInTurn {
  const queue = new Set<() => void>();
  let free = permits;
  return async (signal, task) => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else if (queue.size >= maxWaiting) return undefined;
    else await waitForTurn(queue, signal);
    try {
      return await task();
    } finally {
      const [next] = queue;
      if (next === undefined) free += 1;
      else next();
    }
  };
}

function waitForTurn(queue: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      queue.delete(admit);
      signal.removeEventListener("abort", giveUp);
    };
    const admit = () => {
      leave();
      resolve();
    };
    const giveUp = () => {
      leave();
      reject(signal.reason);
    };
    queue.add(admit);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
