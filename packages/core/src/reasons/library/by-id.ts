import type { Fault } from "../../fault/fault.ts";
import type { ReasonOptions } from "../build-safely.ts";
import type { AnyReason } from "../types.ts";
import * as domains from "./domains.ts";

/** A reason of the library. Its slots check the params when the fault is built. */
export interface LibraryReason extends AnyReason {
  /** Creates the fault. Params that do not fit their slots are not shown. */
  fault(params?: Readonly<Record<string, unknown>>, options?: ReasonOptions): Fault;
}

/** The modules of the library's reasons, by domain. */
export const LIBRARY_REASONS = domains satisfies Readonly<Record<string, Readonly<Record<string, LibraryReason>>>>;

let byId: ReadonlyMap<string, LibraryReason> | undefined;

/** The library's reason with an id; undefined if the library has no such reason. */
export function libraryReason(id: string): LibraryReason | undefined {
  const all = () => Object.values(LIBRARY_REASONS).flatMap((reasons): LibraryReason[] => Object.values(reasons));
  byId ??= new Map(all().map((reason) => [reason.id, reason]));
  return byId.get(id);
}

/**
 * The fault of the library's reason with the id and kind of a fault, composed from its own template. Undefined if the
 * library has no such reason.
 */
export function recomposeFault(
  { reason, kind }: Fault,
  params: Readonly<Record<string, unknown>>,
  options: ReasonOptions = {},
): Fault | undefined {
  const known = libraryReason(reason);
  return known?.kind === kind ? known.fault(params, options) : undefined;
}
