import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Fault, readFault, render, stamp, toFault, withhold } from "../../src/index.ts";
import * as any from "../arbitraries.ts";
import { runs } from "../runs.ts";

// Law 10: building, reading and rendering are pure: same input, same output, and the input stays as it was.

const READERS = ["model", "person", "log"] as const;
const frozen = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The same data, where every write throws. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !(value instanceof any.Box)) {
    for (const member of Object.values(value)) freeze(member);
    Object.freeze(value);
  }
  return value;
}

function expectPlain(fault: Fault): void {
  expect(frozen(fault)).toBe(true);
  expect(asJson(fault)).toStrictEqual(fault);
}

describe("purity", () => {
  it("of building", () => {
    fc.assert(
      fc.property(any.call, ({ reason, params, rest }) => {
        const [values, details] = [any.unbox(params), freeze(structuredClone(rest))];
        const fault = reason.fault(values, details);
        expect(details).toStrictEqual(rest);
        expect(reason.fault(values, details)).toStrictEqual(fault);
        expect(JSON.stringify(reason.fault(values, details))).toBe(JSON.stringify(fault));
        expectPlain(fault);
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it("of stamping, withholding and rendering", () => {
    fc.assert(
      fc.property(any.fault, any.stamps, (fault, stamps) => {
        const before = structuredClone(fault);
        const stamped = stamp(fault, freeze(stamps));
        expectPlain(stamped);
        expect(stamp(fault, stamps)).toStrictEqual(stamped);
        expect(withhold(fault)).toBe(fault);
        for (const reader of READERS) {
          const text = render(stamped, { for: reader });
          expect(render(structuredClone(stamped), { for: reader })).toBe(text);
          expect(text.isWellFormed()).toBe(true);
        }
        expect(fault).toStrictEqual(before);
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it("of reading", () => {
    fc.assert(
      fc.property(fc.oneof(any.json, any.fault.map(asJson)), (value) => {
        const before = structuredClone(value);
        const fault = readFault(freeze(value));
        expect(readFault(value)).toStrictEqual(fault);
        if (fault !== undefined) expectPlain(fault);
        expect(value).toStrictEqual(before);
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it("of turning anything thrown into a fault", () => {
    fc.assert(
      fc.property(fc.oneof(any.json, any.hostile, any.text), fc.constantFrom("mask", "quote"), (generated, thrown) => {
        const value = any.unbox(generated);
        const fault = toFault(value, { thrown });
        expectPlain(fault);
        expect(toFault(value, { thrown })).toStrictEqual(fault);
      }),
      { numRuns: runs() },
    );
  }, 120_000);
});
