import { FaultError } from "../fault/error.ts";
import type { Fault, Origin } from "../fault/fault.ts";
import type { Effect } from "../fault/kinds.ts";
import { cancelled, timeout } from "../reasons/library/core.ts";
import { breaker_open } from "../reasons/library/transport.ts";
import type { StopDecision } from "./decide.ts";
import type { Spent } from "./loop-guard.ts";
import { settle } from "./settle.ts";

/** How far a call had come when it ended without success. */
export interface Course extends Spent {
  /** How the last attempt failed; nothing when none was made. */
  readonly last: Fault | undefined;
  /** The worst that any attempt may have left behind. */
  readonly effect: Effect;
  readonly repeatable: boolean;
}

const HERE: Origin = { layer: "client" };
/** The last of the rules that look at the failure alone. */
const PLAIN = 2;

/** The fault of a whole call that is not made again: its last failure, with what was tried. */
export function endingOf(decision: StopDecision, course: Course): Fault {
  const { last, attempts, elapsedMs, effect, repeatable } = course;
  const { why, waitMs } = decision;
  const tried = { attempts, elapsedMs, stopped: why };
  if (why === "aborted") {
    const cause = last && new FaultError(last);
    return cancelled.fault({}, { effect, origin: HERE, tried, cause });
  }
  if (last === undefined) return unsent(decision, tried);
  // A first failure that nobody would repeat is told as it is: nothing was tried beyond the call itself.
  const plain = attempts === 1 && decision.rule <= PLAIN;
  return settle(last, { effect, repeatable, waitMs, tried: plain ? undefined : tried });
}

/** The fault of a call that was not even begun. */
function unsent({ why, waitMs = 0 }: StopDecision, tried: NonNullable<Fault["tried"]>): Fault {
  const rest = { effect: "none", origin: HERE, tried } as const;
  return why === "breaker" ? breaker_open.fault({}, { ...rest, afterMs: waitMs }) : timeout.fault({}, rest);
}
