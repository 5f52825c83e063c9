import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import type { Call, Step } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { FairPool } from "./fair-pool.ts";
import type { Limiter } from "./limiter.ts";
import { type Shares, shareFault } from "./shares.ts";

/** Takes a token of every limit that the call counts against. */
export function takeLimits(limiter: Limiter): Step {
  return (call) => limiter.take(call);
}

/**
 * Lets a step before the limits cost something: what it refuses takes tokens of its caller. The fault of the limit
 * takes the place of the refusal if no token is left, and then the step does not run for a moment.
 */
export function countRefused({ refusedMessages }: Pick<Limiter, "refusedMessages">, step: Step): Step {
  const settle = (call: Call, fault: Fault | undefined): Fault | undefined | Promise<Fault | undefined> => {
    if (fault === undefined || call.caller === undefined) return fault;
    const limited = refusedMessages.count(call.caller, call.bodyBytes);
    return limited instanceof Promise ? limited.then((one) => one ?? fault) : (limited ?? fault);
  };
  return (call) => {
    const paused = call.caller === undefined ? undefined : refusedMessages.check(call.caller);
    if (paused !== undefined) return paused;
    const outcome = step(call);
    return outcome instanceof Promise ? outcome.then((fault) => settle(call, fault)) : settle(call, outcome);
  };
}

interface TakeShareOptions {
  readonly shares: Shares;
  readonly now: () => number;
}

/** Counts the call as one under way to its upstream. A caller over its share waits within its deadline. */
export function takeShare({ shares, now }: TakeShareOptions): Step {
  return (call) => {
    const { route, caller } = call;
    if (route?.kind !== "upstream" || caller === undefined) return undefined;
    const pool = shares.poolFor(route.upstream);
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
  return signal.aborted ? core.cancelled.fault({}, { effect: "none" }) : shareFault("calls", pool.fairShare(caller));
}

function hold(call: Call, caller: Caller, pool: FairPool): void {
  call.afterwards ??= [];
  call.afterwards.push(() => pool.give(caller, 1));
}
