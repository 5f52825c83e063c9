import { MAX } from "../../fault/fault.ts";
import { isInBounds, sizesOf } from "./bounds.ts";
import { childOf } from "./child.ts";
import { below, type Problem, problemAt } from "./place.ts";
import { at, listAt, listOf, type Members } from "./read.ts";
import { identityOf } from "./same.ts";
import { type Check, downTo, type Visit } from "./visit.ts";
import { spend } from "./walk.ts";
import { sayCount } from "./words.ts";

/** The number of items, whether they differ, and each of them. */
export function checkArray(visit: Visit, parts: readonly Members[], list: readonly unknown[], check: Check): Problem[] {
  const { walk, place } = visit;
  const problems: Problem[] = [];
  const sizes = sizesOf(parts, "minItems", "maxItems");
  const most = Math.min(sizes.most ?? Infinity, ...parts.map(closedAfter));
  const bounds = Number.isFinite(most) ? { ...sizes, most } : sizes;
  if (!isInBounds(list.length, bounds)) {
    const count = sayCount(bounds, "item", "items");
    problems.push(
      problemAt(place, { rule: "length", expected: count === undefined ? "an array" : `an array of ${count}` }),
    );
  }
  if (parts.some((part) => at(part, "uniqueItems") === true)) problems.push(...checkUnique(visit, list));
  if (!visit.deep) return problems;
  // Only the keywords of these parts: their branches look at the items themselves.
  const own = { allOf: parts.map(itemsOnly) };
  const first = Math.max(0, ...parts.map((part) => firstOf(part).length));
  const rest = childOf(walk, own, list, first);
  for (let index = 0; index < list.length && problems.length <= MAX.issues && spend(walk, 1); index++) {
    if (bounds.most !== undefined && index >= bounds.most) break;
    const child = index < first ? childOf(walk, own, list, index) : rest;
    if (child === undefined && index >= first) break;
    const here = below(place, index, { rank: index, named: true });
    problems.push(...check(downTo(visit, here), child?.node, at(list, index)));
  }
  return problems;
}

/** How many items there may be, where a list of them is followed by nothing. */
function closedAfter(part: Members): number {
  const items = at(part, "items");
  const rest = listOf(items) === undefined ? items : at(part, "additionalItems");
  return rest === false ? firstOf(part).length : Infinity;
}

/** The schemas of the first items, one by one. */
function firstOf(part: Members): readonly unknown[] {
  return listOf(at(part, "items")) ?? listAt(part, "prefixItems");
}

function itemsOnly(part: Members): Members {
  return {
    items: at(part, "items"),
    prefixItems: at(part, "prefixItems"),
    additionalItems: at(part, "additionalItems"),
  };
}

/** Points to the first item that was there before; values too large to compare count as different. */
function checkUnique({ walk, place }: Visit, list: readonly unknown[]): Problem[] {
  const seen = new Set<string>();
  for (let index = 0; index < list.length && spend(walk, 4); index++) {
    const identity = identityOf(at(list, index));
    if (identity === undefined || !spend(walk, identity.length / 32)) continue;
    if (seen.has(identity))
      return [
        problemAt(below(place, index, { rank: index, named: true }), {
          rule: "duplicate",
          expected: "items that differ",
        }),
      ];
    seen.add(identity);
  }
  return [];
}
