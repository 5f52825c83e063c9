// Arbitraries of our own property tests: the public generators, and values that only our tests need.
import { generators, type ReasonCall } from "@recourse/testing";
import fc from "fast-check";
import type { TableReason } from "../src/dialects/index.ts";
import type { Fault, Stamps } from "../src/index.ts";
import { LIBRARY_REASONS } from "../src/reasons/library/by-id.ts";

/** Every reason of the library. */
export const ALL_REASONS = Object.values(LIBRARY_REASONS).flatMap(
  (domain) => Object.values(domain) as unknown as TableReason[],
);

const any = generators(fc);

/** Any text: words, Unicode, lone surrogates, controls, invisible characters, long text. */
export const text: fc.Arbitrary<string> = any.text();

/** Any JSON value, also deeply nested. */
export const json: fc.Arbitrary<unknown> = any.json();

/** Any fault that the library can build: some stamped, some with causes. */
export const fault: fc.Arbitrary<Fault> = any.fault();

/** Any stamps, valid and invalid. */
export const stamps: fc.Arbitrary<Stamps> = any.stamps();

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
export const secret: fc.Arbitrary<string> = any.unknownSecret() as fc.Arbitrary<string>;

/** A call of a library reason; some of its values are hostile. */
export const call: fc.Arbitrary<ReasonCall> = any.reasonCall({ invalid: hostile });
