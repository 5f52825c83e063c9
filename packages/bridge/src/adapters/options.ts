import type { Sink } from "@recourse/faults/server";
import { type Clock, systemClock } from "./clock.ts";
import type { BackendStatus } from "./health.ts";
import type { Watching } from "./monitor.ts";
import type { Starting } from "./starter.ts";

/** The times and counts of an adapter, in ms. */
export interface AdapterLimits extends Starting, Watching {
  /** How long a call may take where its tool does not say. */
  readonly timeoutMs: number;
  /** How long `close` waits for running calls before it ends them. */
  readonly drainMs: number;
  /** How long the backend may take to close. */
  readonly closeMs: number;
}

/** How an adapter behaves; everything has a default. */
export interface AdapterOptions extends Partial<AdapterLimits> {
  /** Where failed starts, checks and closings go, which no caller hears of. */
  readonly sink?: Sink;
  /** Told when the backend's status changes, for metrics. */
  readonly onStatus?: (change: { readonly from: BackendStatus; readonly to: BackendStatus }) => void;
  /** Time; the machine's own unless a test brings another. */
  readonly clock?: Clock;
}

/** The limits where nobody says otherwise. */
const DEFAULTS: AdapterLimits = {
  initialiseMs: 10_000,
  restartMs: 1_000,
  restartCapMs: 60_000,
  timeoutMs: 30_000,
  everyMs: 60_000,
  probeMs: 5_000,
  healthMs: 5_000,
  degradedAfter: 2,
  downAfter: 5,
  drainMs: 10_000,
  closeMs: 5_000,
};

/** Options with nothing left open. */
export type Settled = AdapterLimits & Pick<AdapterOptions, "sink" | "onStatus"> & { readonly clock: Clock };

/** Fills in the defaults; a number that makes no sense is refused, since a limit that does not hold is worse than none. */
export function settle(options: AdapterOptions): Settled {
  const settled = { clock: systemClock, ...DEFAULTS, ...options };
  for (const name of Object.keys(DEFAULTS) as (keyof AdapterLimits)[]) checkPositive(name, settled[name]);
  if (settled.degradedAfter > settled.downAfter) throw new RangeError("degradedAfter must not be above downAfter");
  return settled;
}

/** The largest wait that a timer takes. */
const LONGEST_MS = 2_147_483_647;

/** Throws unless a limit is a number above zero that a timer can wait for. */
export function checkPositive(name: string, value: number): void {
  const isRight = typeof value === "number" && value > 0 && value <= LONGEST_MS;
  if (!isRight) throw new RangeError(`${name} must be a number above zero, and at most ${LONGEST_MS}`);
}
