// A wire that knows only codes loses most of a fault. Effect, basis and incident are carried beside its own members, so that a
// fault never looks more certain after a round trip than before, and one id finds it on every side.

import type { Basis, Fault } from "../fault/fault.ts";
import { EFFECTS, type Effect } from "../fault/kinds.ts";
import { defaultFault } from "../reasons/build-safely.ts";
import { readId } from "../wire/ids.ts";
import { type JsonObject, memberAt } from "../wire/json.ts";
import { NAMESPACE } from "../wire/names.ts";
import type { TableReason } from "./dialect.ts";

/** Effect, basis and incident of a fault, as far as a wire has to state them. */
export interface CarriedMembers {
  readonly effect?: Effect;
  readonly basis?: Basis;
  readonly incident?: string;
}

export function defaultEffect(reason: TableReason): Effect {
  return defaultFault(reason).effect;
}

interface WrittenAs {
  readonly reason: TableReason;
  /** The code is not the system's own, so that most readers know only its range. @default false */
  readonly isOwn?: boolean | undefined;
}

/**
 * The members to write: the effect if a reader of the code could take it for another, the basis if the fault is a guess, and
 * the incident if it was reported.
 */
export function carriedMembers(fault: Fault, { reason, isOwn = false }: WrittenAs): CarriedMembers {
  return {
    ...((isOwn || fault.effect !== defaultEffect(reason)) && { effect: fault.effect }),
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
  const incident = readId(read("incident"));
  return { basis, ...(effect !== undefined && { effect }), ...(incident !== undefined && { incident }) };
}
