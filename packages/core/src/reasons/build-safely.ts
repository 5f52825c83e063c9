import { peek, snapshot } from "../errors/peek.ts";
import { judgedFault, redactSecrets } from "../fault/amend.ts";
import type { FaultDetails } from "../fault/build.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { isBuiltHere, keepAssumption, noteUnjudged, rebuildOf } from "../fault/provenance.ts";
import { readOwnFault, readSentFault } from "../fault/read.ts";
import { type FilterOptions, leaveToJudge, watchJudging } from "../safety/show-line.ts";

/** The second argument of a reason: what the fault carries beside its params. */
export interface ReasonOptions extends FaultDetails, FilterOptions {
  /** What led to the failure. A `FaultError` becomes the cause of the fault. Anything else goes only to your log. @default none */
  readonly cause?: unknown;
  /**
   * The id that another program gave this failure, for dialects that read one. Refused credentials have none, since all
   * refusals look alike.
   * @default none: kits give an id to what they report
   */
  readonly incident?: string | undefined;
  /**
   * The id that a service behind the server gave to its request, if it is an id and not a text. Refused credentials have none.
   * @default none
   */
  readonly requestId?: string | undefined;
}

/**
 * Builds with the values and options of a call. If reading one of them throws, it builds without any, since the options
 * decide which values may be shown. Texts that cannot be judged here are judged when the fault leaves: then it is built again.
 */
export function buildSafely<V, T extends Fault>(
  build: (values: V, options: ReasonOptions) => T,
  values: V,
  none: V,
  options?: ReasonOptions | null,
): T {
  const make = () => {
    try {
      return build(values, options ?? {});
    } catch {
      return build(none, {});
    }
  };
  const { built, isJudged } = watchJudging(make);
  if (!isJudged) noteUnjudged(built, make);
  return built;
}

/** The cause in the options of a call. Undefined if reading it throws. */
export function causeIn(options?: ReasonOptions | null): unknown {
  try {
    return options?.cause;
  } catch {
    return undefined;
  }
}

/**
 * The fault of a FaultError. One that another copy of the package built is checked, since it may be newer. One that no copy
 * built, such as a changed or stored one, counts as received.
 */
export function faultInside(value: unknown, filter: FilterOptions): Fault | undefined {
  if (!FaultError.is(value)) return undefined;
  try {
    if (FaultError.isOwn(value)) {
      if (rebuildOf(value.fault) !== undefined) leaveToJudge();
      return redactSecrets(judgedFault(value.fault), filter.secrets);
    }
  } catch {
    // It is frozen, but was not built here: it is checked like any other.
  }
  const fault = peek(value, "fault");
  const isBuilt = typeof fault === "object" && fault !== null && isBuiltHere(fault);
  if (!isBuilt) return readSentFault(snapshot(fault), filter);
  const copy = readOwnFault(snapshot(fault), filter);
  return copy && keepAssumption(copy, fault);
}

const defaultFaults = new WeakMap<object, Fault>();

/** The fault of a reason about which the wire says nothing more. It never changes, so it is built once. */
export function defaultFault(reason: { fault(): Fault }): Fault {
  const known = defaultFaults.get(reason) ?? reason.fault();
  defaultFaults.set(reason, known);
  return known;
}
