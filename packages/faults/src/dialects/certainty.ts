// A wire that knows only codes would lose how certain a fault is. These members carry effect and basis beside its own
// members, so that a fault never looks more certain after a round trip than before.
import type { Basis, Fault } from "../fault/fault.ts";
import { EFFECTS, type Effect } from "../fault/kinds.ts";
import { NAMESPACE } from "../json/names.ts";
import { type JsonObject, memberAt } from "../json/read.ts";
import type { FilterOptions } from "../safety/filter-line.ts";
import { RECEIVED_TEXT } from "../safety/received-text.ts";
import type { TableReason } from "./dialect.ts";

/** Effect and basis of a fault, as far as a wire has to state them. */
export interface Certainty {
  readonly effect?: Effect;
  readonly basis?: Basis;
}

const defaultFaults = new WeakMap<TableReason, Fault>();

/** The fault of a reason about which the wire says nothing more. It never changes, so it is built once. */
export function defaultFault(reason: TableReason): Fault {
  const known = defaultFaults.get(reason) ?? reason.fault();
  defaultFaults.set(reason, known);
  return known;
}

/** The effect that a reason has when the wire states none. */
export function defaultEffect(reason: TableReason): Effect {
  return defaultFault(reason).effect;
}

/** The members to write: the effect where the reason alone would claim less, the basis where the fault is a guess. */
export function certaintyMembers(fault: Fault, reason: TableReason): Certainty {
  return {
    ...(fault.effect !== "none" && fault.effect !== defaultEffect(reason) && { effect: fault.effect }),
    ...(fault.basis === "guessed" && { basis: fault.basis }),
  };
}

/** The same members as keys of `_meta`, such as `recourse/effect`. */
export function certaintyMeta(certainty: Certainty): JsonObject {
  return Object.fromEntries(Object.entries(certainty).map(([key, value]) => [`${NAMESPACE}/${key}`, value]));
}

/** Reads the members from an object, with or without the prefix that they have in `_meta`. */
export function readCertainty(from: unknown): Certainty {
  const read = (key: string): unknown => memberAt(from, `${NAMESPACE}/${key}`) ?? memberAt(from, key);
  const effect = EFFECTS.find((one) => one === read("effect"));
  // A code is mapped to a fault, so `stated` is never read back.
  const basis = read("basis") === "guessed" ? "guessed" : "mapped";
  return effect === undefined ? { basis } : { effect, basis };
}

/** Effect and basis of a fault after it was written as this reason and read again, when its texts are the sender's. */
export function certaintyAfterRoundTrip(fault: Fault, reason: TableReason): Certainty & FilterOptions {
  const effect = fault.effect === "none" ? defaultEffect(reason) : fault.effect;
  return { effect, basis: fault.basis === "guessed" ? "guessed" : "mapped", textPolicy: RECEIVED_TEXT };
}
