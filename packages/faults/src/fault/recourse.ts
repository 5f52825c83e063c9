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
  // A call that may have had an effect is checked before it is repeated, even if the peer says "retry".
  const own: Move = !isRetryable(facts.kind)
    ? KINDS[facts.kind].firstMove
    : isSafeToRepeat(facts)
      ? "retry"
      : "refresh";
  if (facts.retry?.allowed === true && isSafeToRepeat(facts)) {
    const first = moveOf("retry", facts);
    return own === "retry" ? [first] : [first, moveOf(own, facts)];
  }
  if (facts.retry?.allowed === false && own === "retry") return [moveOf("stop", facts)];
  return [moveOf(own, facts)];
}

/**
 * Removes `retry` from chosen moves where the effect or the peer forbids it. If no move is left, the derived ones are
 * returned.
 */
export function permittedMoves(chosen: readonly Recourse[], facts: RecourseFacts): [Recourse, ...Recourse[]] {
  const mayRetry = isSafeToRepeat(facts) && facts.retry?.allowed !== false;
  const [first, ...rest] = chosen.filter((move) => move.do !== "retry" || mayRetry).slice(0, MAX.recourse);
  return first === undefined ? deriveRecourse(facts) : [first, ...rest];
}

function isSafeToRepeat({ effect, repeatable }: RecourseFacts): boolean {
  return effect === "none" || repeatable === true;
}

function moveOf(move: Move, facts: RecourseFacts): Recourse {
  if (move === "retry") {
    const afterMs = facts.retry?.afterMs ?? facts.afterMs;
    return Object.freeze(afterMs === undefined ? { do: move } : { do: move, afterMs });
  }
  if (move === "fix_input" && facts.issues !== undefined && facts.issues.length > 0) {
    const fields = [...new Set(facts.issues.map((issue) => issue.pointer))].slice(0, MAX.fields);
    return Object.freeze({ do: move, fields: Object.freeze(fields) });
  }
  return Object.freeze({ do: move });
}
