import type { Issue, Recourse, RetryWord } from "./fault.ts";
import { MAX } from "./fault.ts";
import { type Effect, KINDS, type Kind, type Move } from "./kinds.ts";

/** What the next move is derived from. */
export interface RecourseFacts {
  readonly kind: Kind;
  readonly effect: Effect;
  /** Somebody vouches that repeating the call does no harm. */
  readonly repeatable?: boolean | undefined;
  readonly retry?: RetryWord | undefined;
  /** A wait that a contract prescribes where the peer said nothing. */
  readonly afterMs?: number | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

/** Derives the next moves from what is known, at least one. */
export function deriveRecourse(facts: RecourseFacts): [Recourse, ...Recourse[]] {
  const row = KINDS[facts.kind];
  const harmless = facts.effect === "none" || facts.repeatable === true;
  const repeats = row.repeat === "waited" || row.repeat === "harmless";
  // Whatever the peer says, a call that may have had an effect is looked at before it is repeated.
  const own: Move = repeats ? (harmless ? "retry" : "refresh") : row.move;
  if (facts.retry?.allowed === true && harmless) {
    const first = moveOf("retry", facts);
    return own === "retry" ? [first] : [first, moveOf(own, facts)];
  }
  if (facts.retry?.allowed === false && own === "retry") return [moveOf("stop", facts)];
  return [moveOf(own, facts)];
}

/** Removes what the effect rule or the peer forbids from moves that an author chose, and falls back on the derived ones. */
export function permitted(chosen: readonly Recourse[], facts: RecourseFacts): [Recourse, ...Recourse[]] {
  const harmless = facts.effect === "none" || facts.repeatable === true;
  const repeats = harmless && facts.retry?.allowed !== false;
  const [first, ...rest] = chosen.filter((move) => move.do !== "retry" || repeats).slice(0, MAX.recourse);
  return first === undefined ? deriveRecourse(facts) : [first, ...rest];
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
