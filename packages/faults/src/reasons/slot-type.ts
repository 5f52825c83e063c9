import type { Param } from "../fault/fault.ts";
import type { Nets } from "../safety/nets.ts";

/** A typed hole in an authored sentence: it decides which values may be shown, and how. */
export interface Slot<T, Optional extends boolean = false> {
  /** Name of the type, for documentation. */
  readonly type: string;
  readonly optional: Optional;
  /** The value as it may stand in a fault, or `null` when it may not be shown. */
  read(value: T, nets: Nets): Param;
  /** How a value that may be shown stands in the sentence. */
  show(param: Exclude<Param, null>): string;
}

// biome-ignore lint/suspicious/noExplicitAny: a slot of any value; what it takes is inferred where it is used.
export type AnySlot = Slot<any, boolean>;

/** What stands in a sentence where a value was withheld. */
export const WITHHELD = "(withheld)";

/** The value type of a slot. */
export type SlotValue<S> = S extends Slot<infer T, boolean> ? T : never;
