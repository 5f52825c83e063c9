import type { Issue, Recourse, RetryAdvice } from "./fault.ts";
import { MAX } from "./fault.ts";
import { type Effect, isRetryable, KINDS, type Kind, type Move } from "./kinds.ts";

/** What the next moves are derived from. */
export interface RecourseFacts {
  readonly kind: Kind;
  readonly effect: Effect;
  /** Making the call twice is safe. */
  readonly repeatable?: boolean | undefined;
  readonly retry?: RetryAdvice | undefined;
  /** The wait that the contract of a system prescribes. A wait that the peer stated comes first. */
  readonly afterMs?: number | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

/** Derives the next moves, at least one. */
export function deriveRecourse(facts: RecourseFacts): [Recourse, ...Recourse[]] {
  const { kind, retry } = facts;
  const isSafe = isSafeToRepeat(facts);
  const isInvited = retry?.allowed === true;
  const usual: Move = isRetryable(kind) ? "retry" : KINDS[kind].firstMove;
  // A call that may have had an effect is checked before it is repeated, even if the peer says "retry".
  const isChecked = !isSafe && (usual === "retry" || (usual === "stop" && isInvited));
  if (isChecked) {
    // A wait that the peer stated is in `retry`; this one is known nowhere else.
    const isKnownHere = retry?.allowed !== false && retry?.afterMs === undefined;
    return [withWait("refresh", isKnownHere ? facts.afterMs : undefined)];
  }
  if (isInvited && isSafe) {
    const first = moveOf("retry", facts);
    return usual === "retry" ? [first] : [first, moveOf(usual, facts)];
  }
  return [moveOf(retry?.allowed === false && usual === "retry" ? "stop" : usual, facts)];
}

/**
 * Removes `retry` from chosen moves where the effect or the peer forbids it. If no move is left, the derived ones are
 * returned, with the wait of the first one that was removed.
 */
export function permittedMoves(chosen: readonly Recourse[], facts: RecourseFacts): [Recourse, ...Recourse[]] {
  const mayRetry = isSafeToRepeat(facts) && facts.retry?.allowed !== false;
  const [first, ...rest] = chosen.filter((move) => move.do !== "retry" || mayRetry).slice(0, MAX.recourse);
  if (first !== undefined) return [first, ...rest];
  return deriveRecourse({ ...facts, afterMs: facts.afterMs ?? chosen[0]?.afterMs });
}

function isSafeToRepeat({ effect, repeatable }: RecourseFacts): boolean {
  return effect === "none" || repeatable === true;
}

function moveOf(move: Move, facts: RecourseFacts): Recourse {
  if (move === "retry") return withWait(move, facts.retry?.afterMs ?? facts.afterMs);
  if (move === "fix_input" && facts.issues !== undefined && facts.issues.length > 0) {
    const fields = [...new Set(facts.issues.map((issue) => issue.pointer))].slice(0, MAX.fields);
    return Object.freeze({ do: move, fields: Object.freeze(fields) });
  }
  return Object.freeze({ do: move });
}

function withWait(move: Move, afterMs: number | undefined): Recourse {
  return Object.freeze(afterMs === undefined ? { do: move } : { do: move, afterMs });
}
