import type { Arbitrary, Combinators } from "./fast-check.ts";

/** Any JSON value, also deeply nested. */
export function anyJson(fc: Combinators): Arbitrary<unknown> {
  // fast-check also draws -0, which JSON text cannot express.
  const value = fc.jsonValue({ maxDepth: 6 }).map((drawn) => JSON.parse(JSON.stringify(drawn)) as unknown);
  return fc.oneof<unknown>(value, fc.integer({ min: 1, max: 200 }).map(nested));
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let at = 0; at < depth; at++) value = { cause: [value] };
  return value;
}

/** The same JSON with its n-th member changed, counted depth first; undefined removes the member. */
export function mutate(value: unknown, nth: number, change: (member: unknown) => unknown): unknown {
  let left = nth;
  const walk = (at: unknown): unknown => {
    if (typeof at !== "object" || at === null) return at;
    const members = Object.entries(at).map(([key, member]) => [key, left-- === 0 ? change(member) : walk(member)]);
    return Array.isArray(at) ? members.map(([, member]) => member ?? null) : Object.fromEntries(members);
  };
  return JSON.parse(JSON.stringify(walk(value)));
}
