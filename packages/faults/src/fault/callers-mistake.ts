import type { Fault } from "./fault.ts";
import { classOf, knownKind } from "./kinds.ts";

/** Tells a mistake of the caller's, which says nothing about the health of whoever refused it. */
export function isCallersMistake(fault: Fault): boolean {
  const group = classOf(fault);
  return group === "validation" || group === "permission" || knownKind(fault) === "not_found";
}
