import { cleanTried, pack } from "../fault/clean.ts";
import type { Fault, Recourse, Tried } from "../fault/fault.ts";
import { EFFECTS, type Effect, knownKind } from "../fault/kinds.ts";
import { permitted } from "../fault/recourse.ts";

/** What is known at the end of a call beyond its last failure. */
export interface Ending {
  readonly tried?: Tried | undefined;
  /** The worst that any attempt may have left behind. */
  readonly effect?: Effect | undefined;
  readonly repeatable?: boolean | undefined;
  /** The wait that did not fit, told with a `retry`. */
  readonly waitMs?: number | undefined;
  /** Other moves than those of the fault. */
  readonly recourse?: readonly [Recourse, ...Recourse[]] | undefined;
}

/** The graver of two effects: a later attempt does not undo what an earlier one may have done. */
export function graver(one: Effect, other: Effect): Effect {
  return EFFECTS.indexOf(one) >= EFFECTS.indexOf(other) ? one : other;
}

/** The fault of a whole call, from its last failure: moves that are no longer allowed are gone. */
export function settle(fault: Fault, ending: Ending): Fault {
  const effect = graver(fault.effect, ending.effect ?? "none");
  const facts = { kind: knownKind(fault), effect, retry: fault.retry, issues: fault.issues };
  const moves = permitted(ending.recourse ?? fault.recourse, { ...facts, repeatable: ending.repeatable });
  const [first, ...rest] = moves;
  const recourse: Fault["recourse"] = [waited(first, ending.waitMs), ...rest];
  return pack<Fault>({
    ...fault,
    recourse: Object.freeze(recourse),
    effect,
    tried: cleanTried(ending.tried) ?? fault.tried,
    cause: fault.cause,
  });
}

function waited(move: Recourse, waitMs: number | undefined): Recourse {
  if (move.do !== "retry" || waitMs === undefined || waitMs <= (move.afterMs ?? 0)) return move;
  return Object.freeze({ ...move, afterMs: waitMs });
}
