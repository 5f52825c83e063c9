import type { Place, Problem } from "./place.ts";
import type { Walk } from "./walk.ts";

/** One value that is looked at, and how. */
export interface Visit {
  readonly walk: Walk;
  readonly place: Place;
  /** Whether to go on to what the value holds. */
  readonly deep: boolean;
  readonly depth: number;
  /** Where the keys of the schema begin in the order of the whole. */
  readonly offset: number;
  /** The whole schema of the place, when it is one of its branches that is looked at. */
  readonly whole?: unknown;
}

/** Looks at a value below; handed down, so that the files of the walker do not know each other in a ring. */
export type Check = (visit: Visit, node: unknown, value: unknown) => Problem[];

/** The visit of a value below the one that is looked at. */
export function downTo(visit: Visit, place: Place): Visit {
  return { ...visit, place, depth: visit.depth + 1, offset: 0, whole: undefined };
}
