// A wire that knows only codes would lose how certain a fault is, and where its sender recorded it. These members carry
// effect, basis and incident beside its own members, so that a fault never looks more certain after a round trip than
// before, and one id finds it on every side.
import type { Basis, Fault } from "../fault/fault.ts";
import { readIncident } from "../fault/id.ts";
import { EFFECTS, type Effect } from "../fault/kinds.ts";
import { NAMESPACE } from "../json/names.ts";
import { type JsonObject, memberAt } from "../json/read.ts";
import type { FilterOptions } from "../safety/filter-line.ts";
import { RECEIVED_TEXT } from "../safety/received-text.ts";
import type { TableReason } from "./dialect.ts";

/** Effect, basis and incident of a fault, as far as a wire has to state them. */
export interface CarriedMembers {
  readonly effect?: Effect;
  readonly basis?: Basis;
  readonly incident?: string;
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

/**
 * The members to write: the effect where the reason alone would claim another, the basis where the fault is a guess, and the
 * incident where it was reported.
 */
export function carriedMembers(fault: Fault, reason: TableReason): CarriedMembers {
  return {
    ...(fault.effect !== defaultEffect(reason) && { effect: fault.effect }),
    ...(fault.basis === "guessed" && { basis: fault.basis }),
    ...(fault.incident !== undefined && { incident: fault.incident }),
  };
}

/** The same members as keys of `_meta`, such as `recourse/effect`. */
export function carriedMeta(carried: CarriedMembers): JsonObject {
  return Object.fromEntries(Object.entries(carried).map(([key, value]) => [`${NAMESPACE}/${key}`, value]));
}

/**
 * Reads the members from an object, with or without the prefix that they have in `_meta`. The effect of a failure that a tool
 * may only be showing is at least `possible`: nobody says that the call itself did nothing.
 */
export function readCarriedMembers(from: unknown, { isShown }: { readonly isShown?: boolean } = {}): CarriedMembers {
  const read = (key: string): unknown => memberAt(from, `${NAMESPACE}/${key}`) ?? memberAt(from, key);
  const stated = EFFECTS.find((one) => one === read("effect"));
  const effect = isShown === true && stated !== "applied" ? "possible" : stated;
  // A code is mapped to a fault, so `stated` is never read back.
  const basis = read("basis") === "guessed" ? "guessed" : "mapped";
  const incident = readIncident(read("incident"));
  return { basis, ...(effect !== undefined && { effect }), ...(incident !== undefined && { incident }) };
}

/** Effect, basis and incident of a fault that was written as this reason and read again. Its texts are the sender's. */
export function carriedAfterRoundTrip({ effect, incident, basis: stated }: Fault): CarriedMembers & FilterOptions {
  const basis = stated === "guessed" ? "guessed" : "mapped";
  return { effect, basis, ...(incident !== undefined && { incident }), textPolicy: RECEIVED_TEXT };
}
