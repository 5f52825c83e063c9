import type { Basis, Fault } from "../fault/fault.ts";
import { EFFECTS, type Effect } from "../fault/kinds.ts";
import type { TableReason } from "./dialect.ts";
import { type Json, memberAt } from "./wire.ts";

/** The prefix of everything of ours in `_meta`. */
export const NAMESPACE = "recourse";

/** What a wire must say beside its own members, so that certainty does not rise on the way. */
export interface Certainty {
  readonly effect?: Effect;
  readonly basis?: Basis;
}

const plainEffects = new WeakMap<TableReason, Effect>();

/** The effect that a reason decodes to when the wire says nothing; built once, since it never changes. */
export function plainEffect(reason: TableReason): Effect {
  const known = plainEffects.get(reason) ?? reason.fault().effect;
  plainEffects.set(reason, known);
  return known;
}

/** The members to add: the effect where the wire alone would claim less, the basis where the fault is only a guess. */
export function certaintyOf(fault: Fault, reason: TableReason): Certainty {
  return {
    ...(fault.effect !== "none" && fault.effect !== plainEffect(reason) && { effect: fault.effect }),
    ...(fault.basis === "guessed" && { basis: fault.basis }),
  };
}

/** The same members as keys of `_meta`. */
export function certaintyMeta(certainty: Certainty): Json {
  return Object.fromEntries(Object.entries(certainty).map(([key, value]) => [`${NAMESPACE}/${key}`, value]));
}

/** Reads what was added, from an object with plain members or from `_meta`. */
export function readCertainty(from: unknown): Certainty {
  const read = (key: string): unknown => memberAt(from, `${NAMESPACE}/${key}`) ?? memberAt(from, key);
  const effect = EFFECTS.find((one) => one === read("effect"));
  // A wire that maps codes states nothing by itself, so `stated` is never read back.
  const basis = read("basis") === "guessed" ? "guessed" : "mapped";
  return effect === undefined ? { basis } : { effect, basis };
}

/** What is left of a fault's certainty on a wire that decodes to this reason. */
export function keptCertainty(fault: Fault, reason: TableReason): Certainty {
  const effect = fault.effect === "none" ? plainEffect(reason) : fault.effect;
  return { effect, basis: fault.basis === "guessed" ? "guessed" : "mapped" };
}
