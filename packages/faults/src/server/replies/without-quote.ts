import { amendFault } from "../../fault/amend.ts";
import type { Fault, Origin } from "../../fault/fault.ts";

const HERE: Origin = Object.freeze({ layer: "server" });

/** A fault that was read from a part of this server: its facts count, but its text was not written for callers. */
export function withoutQuote(fault: Fault | undefined): Fault | undefined {
  return fault && amendFault(fault, { quote: undefined, origin: HERE, basis: "stated" });
}
