// Arbitraries of our own property tests: the public generators, and values that only our tests need.
import fc from "fast-check";
import type { Fault, Stamps } from "../src/index.ts";
import { combinatorsOf } from "../src/testing/generators/fast-check.ts";
import { anyStamps } from "../src/testing/generators/faults.ts";
import { anyJson } from "../src/testing/generators/garbage.ts";
import { anyCall, LIBRARY_REASONS, type ReasonCall } from "../src/testing/generators/reason-calls.ts";
import { anySecretText, anyText } from "../src/testing/generators/text.ts";
import { generators } from "../src/testing/generators.ts";

export { LIBRARY_REASONS } from "../src/testing/generators/reason-calls.ts";

const combinators = combinatorsOf(fc);

/** Any text: words, Unicode, lone surrogates, controls, invisible characters, long text. */
export const text: fc.Arbitrary<string> = anyText(combinators);

/** Any JSON value, also deeply nested. */
export const json: fc.Arbitrary<unknown> = anyJson(combinators);

/** Any fault that the library can build: some stamped, some with causes. */
export const fault: fc.Arbitrary<Fault> = generators(fc).fault();

/** Any stamps, valid and invalid. */
export const stamps: fc.Arbitrary<Stamps> = anyStamps(combinators);

function hostileValues(): unknown[] {
  const trap = () => {
    throw new Error("trap");
  };
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  const { proxy: revokedList, revoke: revokeList } = Proxy.revocable([], {});
  revoke();
  revokeList();
  const circular: Record<string, unknown> = {};
  circular["cause"] = circular;
  const getter = Object.defineProperty({}, "kind", { enumerable: true, get: trap });
  const traps = { get: trap, has: trap, ownKeys: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap };
  return [
    ...[revoked, revokedList, circular, getter, new Proxy({}, traps), new Proxy([], traps), new Proxy(() => 0, traps)],
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

/** Wraps a value that fast-check itself must not inspect. */
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

/** Values that break careless code, each in a box. `unbox` takes them out. */
export const hostile: fc.Arbitrary<Box> = fc.constantFrom(...HOSTILE);

/** A copy of generated data with every box replaced by its value. */
export function unbox(value: unknown): unknown {
  if (value instanceof Box) return value.value;
  if (Array.isArray(value)) return value.map(unbox);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unbox(member)]));
}

/** A secret of one line, with characters that encodings treat differently. */
export const secret: fc.Arbitrary<string> = anySecretText(combinators) as fc.Arbitrary<string>;

/** A call of a library reason; some of its values are hostile. */
export const call: fc.Arbitrary<ReasonCall> = anyCall(combinators, { reasons: LIBRARY_REASONS, invalid: hostile });
