import { keepAssumption } from "./assumed-effect.ts";
import { type Fault, type FaultMembers, packFault, type Recourse } from "./fault.ts";
import { type Effect, knownKind } from "./kinds.ts";
import { type Provenance, provenanceOf } from "./provenance.ts";
import { deriveRecourse, permittedMoves, type RecourseFacts } from "./recourse.ts";

/** What to change in a fault. `undefined` removes an optional member and leaves a required one unchanged. */
export type FaultChanges = {
  readonly [K in Exclude<keyof Fault, "v" | "kind" | "class" | "reason">]?: Fault[K] | undefined;
};

/** What is known beside the fault. */
export interface AmendOptions {
  /** Making the call twice is safe. @default false */
  readonly repeatable?: boolean | undefined;
  /** What is known about the sender of the fault. @default what was known before */
  readonly provenance?: Provenance | undefined;
}

/**
 * A copy of a fault with other members. The next moves follow: derived moves are derived again, and moves that an author
 * chose stay as far as the new effect and the peer's advice allow them.
 */
export function amendFault(fault: Fault, changes: FaultChanges, options: AmendOptions = {}): Fault {
  const amended: FaultMembers = {
    ...fault,
    ...changes,
    message: changes.message ?? fault.message,
    recourse: changes.recourse ?? fault.recourse,
    effect: changes.effect ?? fault.effect,
    origin: changes.origin ?? fault.origin,
    basis: changes.basis ?? fault.basis,
  };
  const facts = { ...factsOf(amended), repeatable: options.repeatable };
  const recourse = Object.freeze(movesFor(fault, changes, facts));
  const copy = packFault({ ...amended, recourse }, options.provenance ?? provenanceOf(fault));
  return changes.effect === undefined ? keepAssumption(copy, fault) : copy;
}

/** The fault of a call that is safe to make twice: derived moves are derived again, and moves that an author chose stay. */
export function repeatableFault(fault: Fault): Fault {
  if (!isDerived(fault)) return fault;
  const recourse = deriveRecourse({ ...factsOf(fault), repeatable: true });
  return amendFault(fault, { recourse }, { repeatable: true });
}

/** Members that moves are derived from. */
const DECISIVE = ["effect", "retry", "issues"] as const satisfies readonly (keyof FaultChanges)[];

function movesFor(fault: Fault, changes: FaultChanges, facts: RecourseFacts): Fault["recourse"] {
  if (changes.recourse !== undefined) return permittedMoves(changes.recourse, facts);
  if (!DECISIVE.some((name) => name in changes && changes[name] !== fault[name])) return fault.recourse;
  return isDerived(fault) ? deriveRecourse(facts) : permittedMoves(fault.recourse, facts);
}

function factsOf(fault: FaultMembers): RecourseFacts {
  const { effect, retry, issues, recourse } = fault;
  return { kind: knownKind(fault), effect, retry, issues, afterMs: recourse[0].afterMs };
}

/** Whether the moves of a fault are the derived ones, for a call that is safe to make twice or for one that is not. */
function isDerived(fault: Fault): boolean {
  const facts = factsOf(fault);
  return [false, true].some((repeatable) => isSame(deriveRecourse({ ...facts, repeatable }), fault.recourse));
}

function isSame(some: readonly Recourse[], others: readonly Recourse[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

const SEVERITY: Readonly<Record<Effect, number>> = { none: 0, possible: 1, applied: 2 };

/** The worse of two effects. A later attempt does not undo what an earlier one may have done. */
export function worseEffect(one: Effect, other: Effect): Effect {
  return SEVERITY[one] >= SEVERITY[other] ? one : other;
}
