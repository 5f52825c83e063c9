import { isObject } from "./read.ts";

/** The same text for the same JSON value, in whatever order its members were written. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isObject(member) ? sorted(member) : member));
}

/** The same for a value whose text is not much longer than `max` characters; undefined for any other, and for what is not JSON. */
export function canonicalWithin(value: unknown, max: number): string | undefined {
  let left = max;
  try {
    return JSON.stringify(value, (key, member: unknown) => {
      left -= key.length + (typeof member === "string" ? member.length : 1);
      if (left < (isObject(member) ? Object.keys(member).length : 0)) throw new RangeError("too large");
      return isObject(member) ? sorted(member) : member;
    });
  } catch {
    return undefined;
  }
}

function sorted(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).sort(byName));
}

/** By code units, so that no locale changes the order. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
