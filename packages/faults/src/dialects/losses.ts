// A wire that knows only codes loses most of a fault. Effect, basis and incident are carried beside its own members, so that a
// fault never looks more certain after a round trip than before, and one id finds it on every side. What else is left, each
// dialect declares as a table beside `encode` and `decode`; the laws compare the table with what the two really do.

import { type JsonObject, memberAt, NAMESPACE, readId } from "@recourse/wire";
import { stampFault } from "../fault/amend.ts";
import type { Basis, Fault } from "../fault/fault.ts";
import { EFFECTS, type Effect } from "../fault/kinds.ts";
import { defaultFault, type ReasonOptions } from "../reasons/build-safely.ts";
import type { EncodeContext, TableReason } from "./dialect.ts";
import { peerQuote } from "./sentence.ts";

/** Effect, basis and incident of a fault, as far as a wire has to state them. */
export interface CarriedMembers {
  readonly effect?: Effect;
  readonly basis?: Basis;
  readonly incident?: string;
}

/** The effect that a reason has when the wire states none. */
export function defaultEffect(reason: TableReason): Effect {
  return defaultFault(reason).effect;
}

/**
 * The members to write: the effect if the reason alone would claim another, the basis if the fault is a guess, and the
 * incident if it was reported.
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
  const incident = readId(read("incident"));
  return { basis, ...(effect !== undefined && { effect }), ...(incident !== undefined && { incident }) };
}

/** Narrows one member of a fault to what the wire can say; undefined if nothing of it is left. */
type Narrowing<Row, Context, Member> = (fault: Fault, row: Row, context: Context) => Member | undefined;

/** The losses of a dialect. What is not named here is lost, except effect, basis and incident, which every wire carries. */
export interface Losses<Row extends { readonly reason: TableReason }, Context extends EncodeContext = EncodeContext> {
  /** The row that a fault is written as. Every reason that is written as the row becomes the reason of the row. */
  readonly row: (fault: Fault, context: Context) => Row;
  /** The text that is left of message and quotation, as the words of the sender. */
  readonly quote: Narrowing<Row, Context, string>;
  /** The params that are left. @default none */
  readonly params?: Narrowing<Row, Context, JsonObject>;
  /** The other members that are left, each with the function that narrows it. @default none */
  readonly narrowed?: { readonly [M in keyof ReasonOptions]?: Narrowing<Row, Context, ReasonOptions[M]> };
  /** The time that is left. @default none */
  readonly at?: Narrowing<Row, Context, string>;
}

/** The fault that is left after a round trip, by the declared losses. */
export function applyLosses<Row extends { readonly reason: TableReason }, Context extends EncodeContext>(
  { row: rowFor, quote, params, narrowed = {}, at }: Losses<Row, Context>,
  fault: Fault,
  context: Context,
): Fault {
  const row = rowFor(fault, context);
  const members = Object.entries(narrowed).map(([member, narrow]) => [member, narrow(fault, row, context)] as const);
  const left = row.reason.fault(params?.(fault, row, context) ?? {}, {
    effect: fault.effect,
    basis: fault.basis === "guessed" ? "guessed" : "mapped",
    incident: fault.incident,
    textPolicy: "received",
    ...peerQuote(quote(fault, row, context)),
    ...Object.fromEntries<unknown>(members),
  });
  return stampFault(left, { at: at?.(fault, row, context) });
}
