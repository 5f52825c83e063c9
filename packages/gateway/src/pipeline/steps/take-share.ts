import { core, type Fault } from "@recourse/faults";
import type { Caller } from "../../auth/caller.ts";
import type { FairPool } from "../../shares/fair-pool.ts";
import { type Shares, shareFault } from "../../shares/shares.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

/** What the step needs. */
export interface TakeShareOptions {
  readonly shares: Shares;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** Counts the call as one under way to its upstream. A caller over its share waits within its deadline. */
export function takeShare({ shares, now }: TakeShareOptions): Step {
  return (call) => {
    const { route, caller } = call;
    if (route?.kind !== "upstream" || caller === undefined) return undefined;
    const pool = shares.callsOf(route.upstream);
    if (!pool.take(caller, 1)) return waitForShare(call, caller, pool, call.deadlineMs - now());
    hold(call, caller, pool);
    return undefined;
  };
}

async function waitForShare(call: Call, caller: Caller, pool: FairPool, leftMs: number): Promise<Fault | undefined> {
  const { signal } = call.origin;
  const late = AbortSignal.timeout(Math.max(0, Math.floor(leftMs)));
  if (await pool.wait(caller, 1, AbortSignal.any([signal, late]))) {
    hold(call, caller, pool);
    return undefined;
  }
  return signal.aborted ? core.cancelled.fault({}, { effect: "none" }) : shareFault("calls", pool.shareOf(caller));
}

function hold(call: Call, caller: Caller, pool: FairPool): void {
  call.afterwards ??= [];
  call.afterwards.push(() => pool.give(caller, 1));
}
