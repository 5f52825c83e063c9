import { protocol } from "@recourse/faults";
import { Refusal } from "./route.ts";
import type { Values } from "./values.ts";

/** One page of a list, as it is answered. */
export interface ListAnswer<T> {
  readonly items: readonly T[];
  /** What `before` has to be to get the page after this one. */
  readonly next: string | null;
}

/** A page of rows that a store has cut. It was asked for one more than the page has, so that the end is known. */
export function pageOfRows<T>(rows: readonly T[], limit: number, keyOf: (row: T) => string): ListAnswer<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}

/** A page of a list that is there as a whole. */
export function pageOfAll<T>(all: readonly T[], values: Values, keyOf: (row: T) => string): ListAnswer<T> | Refusal {
  const limit = values.count("limit");
  const before = values.text("before");
  const from = before === undefined ? 0 : all.findIndex((row) => keyOf(row) === before) + 1;
  if (before !== undefined && from === 0) return new Refusal(invalid("/before", "the `next` of another page"));
  return pageOfRows(all.slice(from, from + limit + 1), limit, keyOf);
}

/** A parameter that no schema can refuse. */
function invalid(pointer: string, expected: string) {
  return protocol.invalid_params.fault({}, { issues: [{ pointer, rule: "custom", expected }] });
}
