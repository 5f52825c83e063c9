import { limitReading } from "../safety/read-limit.ts";
import type { FilterOptions } from "../safety/show-line.ts";
import { asReceived } from "../safety/show-line.ts";
import type { Fault } from "./fault.ts";
import { readSentFault } from "./read.ts";

/**
 * Reads a fault from JSON. Every member is checked and members that do not fit are dropped. It returns undefined if the
 * value is not a fault. A kind that this version does not know is kept if its class is known.
 *
 * The sender wrote its texts, so `render` shows them as quotations, and a guarded server does not send them on unchecked.
 */
export function readFault(value: unknown, filter: FilterOptions = {}): Fault | undefined {
  return limitReading(() => readSentFault(value, asReceived(filter)));
}

/** Tells whether `readFault` would read the value as a fault. */
export function isFault(value: unknown): value is Fault {
  return readFault(value) !== undefined;
}
