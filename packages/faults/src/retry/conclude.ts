import { amendFault, worseEffect } from "../fault/amend.ts";
import { cleanTried } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault, Origin, Recourse, Tried } from "../fault/fault.ts";
import type { Effect } from "../fault/kinds.ts";
import { cancelled } from "../reasons/library/core.ts";
import { breaker_open, not_connected, not_sent, unreachable } from "../reasons/library/transport.ts";
import type { StopDecision } from "./decide.ts";

/** What is known at the end of a call beyond its last failure. */
export interface Conclusion {
  readonly tried?: Tried | undefined;
  /** The worst effect that any attempt may have had. */
  readonly effect?: Effect | undefined;
  readonly repeatable?: boolean | undefined;
  /** A wait that was longer than the deadline allowed. It becomes the wait of the move `retry`. */
  readonly waitMs?: number | undefined;
  /** Moves that replace those of the fault. */
  readonly recourse?: readonly [Recourse, ...Recourse[]] | undefined;
}

/** The fault of a whole call, made from its last failure. Moves that are no longer allowed are removed. */
export function concludeFault(fault: Fault, conclusion: Conclusion): Fault {
  const { repeatable, tried = fault.tried } = conclusion;
  const effect = worseEffect(fault.effect, conclusion.effect ?? "none");
  const concluded = amendFault(
    fault,
    { effect, tried: cleanTried(tried), recourse: conclusion.recourse ?? fault.recourse },
    { repeatable },
  );
  const [first, ...rest] = concluded.recourse;
  const { waitMs } = conclusion;
  if (first.do !== "retry" || waitMs === undefined || waitMs <= (first.afterMs ?? 0)) return concluded;
  return amendFault(concluded, { recourse: [Object.freeze({ ...first, afterMs: waitMs }), ...rest] }, { repeatable });
}

/** What one call has cost so far. */
export interface Spent {
  /** How many times it was sent. */
  readonly attempts: number;
  /** How long it took, waits included. */
  readonly elapsedMs: number;
}

/** How far a call had come when the engine stopped. */
export interface CallProgress extends Spent {
  /** Whether there was only one attempt, sent or not. */
  readonly isFirst: boolean;
  /** The last failure. Undefined if the call was never made. */
  readonly last: Fault | undefined;
  /** The worst effect that any attempt may have had. */
  readonly effect: Effect;
  readonly repeatable: boolean;
  /** The tool that a circuit breaker holds back. @default none */
  readonly heldBack?: string | undefined;
}

const CLIENT_ORIGIN: Origin = { layer: "client" };
/** Rules up to this number depend only on the failure. Later ones depend on the caller or on earlier calls. */
const LAST_RULE_ABOUT_FAILURE = 2;

/** The fault of a call that is not made again: its last failure, and what was tried. */
export function finalFault(decision: StopDecision, progress: CallProgress): Fault {
  const { last, isFirst, attempts, elapsedMs, effect, repeatable } = progress;
  const { why, waitMs } = decision;
  const tried = { attempts, elapsedMs, stopped: why };
  if (why === "aborted") {
    const cause = last && new FaultError(last);
    return cancelled.fault({}, { effect, origin: CLIENT_ORIGIN, tried, cause });
  }
  if (last === undefined) return unsentFault(decision, tried, progress);
  // A first failure that is never repeated stays unchanged: nothing was tried beyond the call itself.
  const isUnchanged = isFirst && decision.rule <= LAST_RULE_ABOUT_FAILURE;
  return concludeFault(last, { effect, repeatable, waitMs, tried: isUnchanged ? undefined : tried });
}

/** Reasons whose sentence says that the call was not sent, by this side or by a gateway. */
const UNSENT: readonly string[] = [unreachable, not_connected, not_sent, breaker_open].map((reason) => reason.id);

/** Whether an attempt ended before the call was sent. Such an attempt does not count as one. */
export function wasNotSent({ reason, effect }: Fault): boolean {
  return effect === "none" && UNSENT.includes(reason);
}

/** The fault of a call that was never sent. */
function unsentFault({ why, waitMs = 0 }: StopDecision, tried: Tried, { heldBack }: CallProgress): Fault {
  const details = { effect: "none", origin: CLIENT_ORIGIN, tried } as const;
  if (why !== "breaker") return not_sent.fault({}, details);
  return breaker_open.fault(heldBack === undefined ? {} : { tool: heldBack }, { ...details, afterMs: waitMs });
}
