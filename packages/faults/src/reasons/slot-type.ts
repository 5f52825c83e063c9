import type { Param } from "../fault/fault.ts";
import type { FilterOptions } from "../safety/filter-line.ts";

/** The type of a value in the text of a reason. It decides which values may be shown, and how. */
export interface Slot<T, Optional extends boolean = false> {
  /** The name of the type, for documentation. */
  readonly type: string;
  /** The values that it takes, for a slot of a few known ones. @default any value of the type */
  readonly choices?: readonly string[];
  /** Whether the value may be missing. */
  readonly optional: Optional;
  /** The value as it stands in the params of the fault, or `null` if it may not be shown. */
  read(value: T, filter: FilterOptions): Param;
  /** The value as it stands in the message. */
  show(param: Exclude<Param, null>): string;
}

// biome-ignore lint/suspicious/noExplicitAny: the type of the value is inferred where the slot is used.
export type AnySlot = Slot<any, boolean>;

/** The type of the values that a slot takes. */
export type SlotValue<S> = S extends Slot<infer T, boolean> ? T : never;
