// What the law tests draw from: the generators that users have, and what only we may see.
import fc from "fast-check";
import type { Fault, Stamps } from "../src/index.ts";
import { anyCall, type ReasonCall } from "../src/testing/generators/calls.ts";
import { combinatorsOf } from "../src/testing/generators/fast-check.ts";
import { anyStamps } from "../src/testing/generators/faults.ts";
import { anyJson } from "../src/testing/generators/garbage.ts";
import { generators } from "../src/testing/generators/generators.ts";
import { REASONS } from "../src/testing/generators/reasons.ts";
import { anyText } from "../src/testing/generators/text.ts";

export { REASONS } from "../src/testing/generators/reasons.ts";

const combinators = combinatorsOf(fc);

/** Text of every sort: words, unicode, lone surrogates, controls, invisible characters, long ones. */
export const text: fc.Arbitrary<string> = anyText(combinators);

/** Any JSON value, deep ones too. */
export const json: fc.Arbitrary<unknown> = anyJson(combinators);

/** Any fault that the library builds: some stamped, some with causes. */
export const fault: fc.Arbitrary<Fault> = generators(fc).fault();

/** Stamps, good and bad. */
export const stamps: fc.Arbitrary<Stamps> = anyStamps(combinators);

function hostileValues(): unknown[] {
  const trap = () => {
    throw new Error("trap");
  };
  const { proxy: gone, revoke } = Proxy.revocable({}, {});
  const { proxy: goneList, revoke: revokeList } = Proxy.revocable([], {});
  revoke();
  revokeList();
  const circular: Record<string, unknown> = {};
  circular["cause"] = circular;
  const getter = Object.defineProperty({}, "kind", { enumerable: true, get: trap });
  const traps = { get: trap, has: trap, ownKeys: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap };
  return [
    ...[gone, goneList, circular, getter, new Proxy({}, traps), new Proxy([], traps), new Proxy(() => 0, traps)],
    ...[Symbol("s"), 1n, () => 0, class Thing {}, new Map([["a", 1]]), new Date(Number.NaN), Object.create(null)],
    ...[
      { toString: trap, valueOf: trap, toJSON: trap },
      Number.NaN,
      -0,
      new Array(5),
      new Error("x", { cause: circular }),
    ],
  ];
}

/** Holds a value that the test library itself may not look at. */
export class Box {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  [fc.toStringMethod](): string {
    return "hostile";
  }
}

const HOSTILE = hostileValues().map((value) => new Box(value));

/** Values that break what looks at them carelessly, each in a box; `unbox` takes them out. */
export const hostile: fc.Arbitrary<Box> = fc.constantFrom(...HOSTILE);

/** A copy of generated data with every boxed value in its place. */
export function unbox(value: unknown): unknown {
  if (value instanceof Box) return value.value;
  if (Array.isArray(value)) return value.map(unbox);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unbox(member)]));
}

const PLANTED = [..."ABCXYZabcxyz0189+/=_-.~!\"'\\&<>%$é日ß "];

/** A secret of one line, with characters that every encoding treats in its own way. */
export const secret = fc
  .string({ unit: fc.constantFrom(...PLANTED), minLength: 12, maxLength: 40 })
  .filter((value) => value.trim() === value && new Set(value).size > 5);

/** A call of a library reason; some of its values are hostile. */
export const call: fc.Arbitrary<ReasonCall> = anyCall(combinators, { reasons: REASONS, misfit: hostile });
