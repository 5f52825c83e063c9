import type { Arbitrary, Combinators } from "./fast-check.ts";
import type { Outcome } from "./outcomes.ts";

/** Any JSON value, deep ones too. */
export function anyJson(fc: Combinators): Arbitrary<unknown> {
  return fc.oneof<unknown>(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 200 }).map(nested));
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let at = 0; at < depth; at++) value = { cause: [value] };
  return value;
}

/** What may happen to one member of a reply. */
const CHANGES: readonly ((member: unknown, other: unknown) => unknown)[] = [
  (_, other) => other,
  () => undefined,
  () => null,
  (member) => [member],
  (member) => ({ member }),
  (member) => JSON.stringify(member),
];

/** The same JSON with its n-th member, counted through the tree, changed; undefined removes it. */
export function mutate(value: unknown, nth: number, change: (member: unknown) => unknown): unknown {
  let left = nth;
  const walk = (at: unknown): unknown => {
    if (typeof at !== "object" || at === null) return at;
    const members = Object.entries(at).map(([key, member]) => [key, left-- === 0 ? change(member) : walk(member)]);
    return Array.isArray(at) ? members.map(([, member]) => member ?? null) : Object.fromEntries(members);
  };
  return JSON.parse(JSON.stringify(walk(value)));
}

/** The places where a reply may stand. */
const WRAPS: readonly ((reply: unknown) => unknown)[] = [
  (reply) => reply,
  (result) => ({ jsonrpc: "2.0", id: 1, result }),
  (error) => ({ jsonrpc: "2.0", id: 1, error }),
  (body) => ({ status: 500, headers: { "content-type": "application/json" }, body }),
  (said) => ({ isError: true, content: [{ type: "text", text: JSON.stringify(said) }] }),
];

/** A reply with one member changed, somewhere where it may not belong. */
function mutated(fc: Combinators, outcomes: Arbitrary<Outcome>): Arbitrary<unknown> {
  return fc
    .tuple<[Outcome, number, (typeof CHANGES)[number], unknown, (typeof WRAPS)[number]]>(
      outcomes,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom(...CHANGES),
      anyJson(fc),
      fc.constantFrom(...WRAPS),
    )
    .map(([{ wire }, nth, change, other, wrap]) => wrap(mutate(wire, nth, (member) => change(member, other))));
}

/** The text of a reply that ends too early. */
function cut(fc: Combinators, outcomes: Arbitrary<Outcome>): Arbitrary<string> {
  return fc.tuple<[Outcome, number]>(outcomes, fc.integer({ min: 0, max: 1000 })).map(([{ wire }, permille]) => {
    const text = JSON.stringify(wire);
    return text.slice(0, Math.floor((text.length * permille) / 1000));
  });
}

/** What a peer may send although it should not: any JSON, replies with one member changed, replies cut short. */
export function anyGarbage(fc: Combinators, outcomes: Arbitrary<Outcome>): Arbitrary<unknown> {
  return fc.oneof<unknown>(
    { weight: 2, arbitrary: anyJson(fc) },
    { weight: 4, arbitrary: mutated(fc, outcomes) },
    { weight: 1, arbitrary: cut(fc, outcomes) },
  );
}
