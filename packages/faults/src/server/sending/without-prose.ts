import type { Fault, Origin } from "../../fault/fault.ts";

const HERE: Origin = Object.freeze({ layer: "server" });

/** The fault of a part of this server: what that says is stated, but its sentences were not written for callers. */
export function withoutProse(fault: Fault | undefined): Fault | undefined {
  if (fault === undefined) return undefined;
  const { quote: _said, ...rest } = fault;
  return Object.freeze({ ...rest, origin: HERE, basis: "stated" });
}
