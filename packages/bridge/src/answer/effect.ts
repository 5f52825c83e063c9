import { type Fault, readFault } from "@recourse/faults";

/** The fault with another effect, and with the next moves that follow from it. */
export function withEffect(fault: Fault, effect: Fault["effect"]): Fault {
  if (fault.effect === effect) return fault;
  const { recourse: _derivedAnew, ...rest } = fault;
  return readFault({ ...rest, effect }) ?? fault;
}
