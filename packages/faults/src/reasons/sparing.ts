import type { Details } from "../fault/build.ts";
import type { Nets } from "../safety/nets.ts";

/** What a call adds to a reason; `cause` may be anything: a fault shows, everything else goes to the incident alone. */
export interface Rest extends Details, Nets {
  readonly cause?: unknown;
}

/**
 * Builds with values and details, and without any of them when one is so hostile that reading it throws: what may not be
 * shown could no longer be told from what may.
 */
export function sparing<V, T>(build: (values: V, rest: Rest) => T, values: V, none: V, rest?: Rest | null): T {
  try {
    return build(values, rest ?? {});
  } catch {
    return build(none, {});
  }
}

/** The cause that a call names, as far as it can be read. */
export function causeOf(rest?: Rest | null): unknown {
  try {
    return rest?.cause;
  } catch {
    return undefined;
  }
}
