import type { Arbitrary, Combinators } from "./fast-check.ts";
import type { GeneratedOutcome } from "./replies.ts";

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

/** Changes of one member of a reply. */
const MEMBER_CHANGES: readonly ((member: unknown, other: unknown) => unknown)[] = [
  (_, other) => other,
  () => undefined,
  () => null,
  (member) => [member],
  (member) => ({ member }),
  (member) => JSON.stringify(member),
];

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

/** Messages that contain a reply. */
const WRAPPERS: readonly ((reply: unknown) => unknown)[] = [
  (reply) => reply,
  (result) => ({ jsonrpc: "2.0", id: 1, result }),
  (error) => ({ jsonrpc: "2.0", id: 1, error }),
  (body) => ({ status: 500, headers: { "content-type": "application/json" }, body }),
  (body) => ({ isError: true, content: [{ type: "text", text: JSON.stringify(body) }] }),
];

/** A reply with one member changed, inside any message. */
function mutated(fc: Combinators, outcomes: Arbitrary<GeneratedOutcome>): Arbitrary<unknown> {
  return fc
    .tuple<[GeneratedOutcome, number, (typeof MEMBER_CHANGES)[number], unknown, (typeof WRAPPERS)[number]]>(
      outcomes,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom(...MEMBER_CHANGES),
      anyJson(fc),
      fc.constantFrom(...WRAPPERS),
    )
    .map(([{ wire }, nth, change, other, wrap]) => wrap(mutate(wire, nth, (member) => change(member, other))));
}

/** The text of a reply that ends too early. */
function truncated(fc: Combinators, outcomes: Arbitrary<GeneratedOutcome>): Arbitrary<string> {
  return fc
    .tuple<[GeneratedOutcome, number]>(outcomes, fc.integer({ min: 0, max: 1000 }))
    .map(([{ wire }, permille]) => {
      const text = JSON.stringify(wire);
      return text.slice(0, Math.floor((text.length * permille) / 1000));
    });
}

/** Replies that break the rules: any JSON, replies with one member changed, truncated replies. */
export function anyGarbage(fc: Combinators, outcomes: Arbitrary<GeneratedOutcome>): Arbitrary<unknown> {
  return fc.oneof<unknown>(
    { weight: 2, arbitrary: anyJson(fc) },
    { weight: 4, arbitrary: mutated(fc, outcomes) },
    { weight: 1, arbitrary: truncated(fc, outcomes) },
  );
}
