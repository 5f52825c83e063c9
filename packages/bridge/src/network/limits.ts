import type { AllowPrivate } from "./addresses.ts";
import type { Resolve } from "./lookup.ts";

/** How far requests may go, how long they may take and how much they may bring. */
export interface NetworkOptions {
  /** Private addresses that may be reached; none unless told. */
  readonly allowPrivate?: AllowPrivate;
  /** `same-origin` follows up to three redirects of reading requests below the base address; none unless told. */
  readonly redirects?: "none" | "same-origin";
  /** To connect; 5 s. */
  readonly connectMs?: number;
  /** From the request to the head of the answer; 30 s. */
  readonly headersMs?: number;
  /** Between two pieces of the answer; 15 s. */
  readonly bodyMs?: number;
  /** For everything together; 60 s. */
  readonly totalMs?: number;
  /** The largest answer, after it is unpacked; 1 MiB. */
  readonly maxResponseBytes?: number;
  /** The largest body of a request; 10 MiB. */
  readonly maxRequestBytes?: number;
  /** Requests at the same time; 64. As many again times eight may wait. */
  readonly concurrency?: number;
  /** Finds the addresses of a name; the system's way unless told. */
  readonly lookup?: Resolve;
}

/** The limits in force. */
export type Limits = typeof DEFAULTS;

const DEFAULTS = {
  connectMs: 5_000,
  headersMs: 30_000,
  bodyMs: 15_000,
  totalMs: 60_000,
  maxResponseBytes: 1_048_576,
  maxRequestBytes: 10_485_760,
  concurrency: 64,
};

/** The largest wait that a timer takes. */
const LONGEST_MS = 2_147_483_647;

/** The limits that options ask for; one that is no limit throws. */
export function limitsOf(options: NetworkOptions): Limits {
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof Limits)[]) {
    const value = options[name] ?? DEFAULTS[name];
    const isRight = Number.isSafeInteger(value) && value > 0 && value <= LONGEST_MS;
    if (!isRight) throw new TypeError(`network.${name} has to be a positive whole number`);
    limits[name] = value;
  }
  return limits;
}
