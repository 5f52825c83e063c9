import { MAX_TIMER_MS } from "@recourse/faults/internal-do-not-use";
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
   * How long a request may take in total, in ms.
   *
   * @default 60_000
   */
  readonly totalTimeoutMs?: number;
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
}

const DEFAULT_NETWORK_LIMITS = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 15_000,
  totalTimeoutMs: 60_000,
  maxResponseBytes: 1_048_576,
  maxRequestBytes: 10_485_760,
  concurrency: 64,
};

/** The limits of a network, with every default filled in. */
export type NetworkLimits = typeof DEFAULT_NETWORK_LIMITS;

/** Fills in the defaults. Throws for a limit that could not be kept. */
export function resolveLimits(options: NetworkOptions): NetworkLimits {
  const limits = { ...DEFAULT_NETWORK_LIMITS };
  for (const name of Object.keys(DEFAULT_NETWORK_LIMITS) as (keyof NetworkLimits)[]) {
    const value = options[name] ?? DEFAULT_NETWORK_LIMITS[name];
    const isValid = Number.isSafeInteger(value) && value > 0 && value <= MAX_TIMER_MS;
    if (!isValid) throw new TypeError(`network.${name} must be a whole number above zero, and at most ${MAX_TIMER_MS}`);
    limits[name] = value;
  }
  return limits;
}
