import { createHash } from "node:crypto";

/**
 * Gives each item a name that no other has, comparing without case. An item proposes names by level, from the plainest
 * to one that is certainly its own; all items that propose the same go one level up, so their order does not matter.
 */
export function distinctNames<T>(
  items: readonly T[],
  levels: number,
  propose: (item: T, level: number) => string,
): readonly string[] {
  const named = items.map((item) => ({ item, level: 0, name: propose(item, 0) }));
  for (;;) {
    const groups = Map.groupBy(named, (one) => one.name.toLowerCase());
    const clashing = [...groups.values()].filter((group) => group.length > 1).flat();
    const raised = clashing.filter((one) => one.level < levels - 1);
    if (raised.length === 0) return named.map((one) => one.name);
    for (const one of raised) {
      one.level += 1;
      one.name = propose(one.item, one.level);
    }
  }
}

/** So many hexadecimal digits that depend on the text alone. */
export function shortHash(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
