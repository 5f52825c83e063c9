import type { Observer } from "../telemetry/observer.ts";
import type { Merged, Shadowed } from "./merged.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/** One upstream causes a line about its names no more often than this. */
const PAUSE_MS = 60_000;
/** How many names a line shows, and how much of each. */
const MAX_SHOWN = 5;
const MAX_NAME_LENGTH = 128;

/**
 * Logs that names of an upstream are left out because another upstream has them: one line for each upstream and change, with
 * their number and the first of them. Names that change all the time are logged once in a while.
 */
export function shadowLog(observer: Pick<Observer, "log">, now: () => number): (merged: Merged) => void {
  const known = new WeakMap<UpstreamLists, { readonly atMs: number; readonly shadowed: Shadowed }>();
  return ({ shadowed }) => {
    for (const [lists, found] of shadowed) {
      const before = known.get(lists);
      if (before !== undefined && (isSame(before.shadowed, found) || now() - before.atMs < PAUSE_MS)) continue;
      known.set(lists, { atMs: now(), shadowed: found });
      const names = found.names.slice(0, MAX_SHOWN).map((name) => name.slice(0, MAX_NAME_LENGTH));
      const facts = { upstream: lists.upstream.options.name, count: found.count, names };
      observer.log("warn", "Names of an upstream are left out, since they belong to another one", facts);
    }
  };
}

function isSame(one: Shadowed, other: Shadowed): boolean {
  if (one === other) return true;
  return one.count === other.count && one.names.every((name, index) => name === other.names[index]);
}
