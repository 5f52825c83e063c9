import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Fault, readFault, redactSecrets, render, stampFault } from "../../src/index.ts";
import * as any from "../arbitraries.ts";

// Building, reading and rendering are pure: the same input gives the same output, and the input does not change.

const READERS = ["model", "person", "log"] as const;
const isDeepFrozen = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Freezes data deeply, so that every write throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !(value instanceof any.Box)) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

function expectFrozenJson(fault: Fault): void {
  expect(isDeepFrozen(fault)).toBe(true);
  expect(asJson(fault)).toStrictEqual(fault);
}

describe("pure functions", () => {
  it("build a fault of a reason", () => {
    fc.assert(
      fc.property(any.call, ({ reason, params, details: given }) => {
        const [values, details] = [any.unbox(params), deepFreeze(structuredClone(given))];
        const fault = reason.fault(values, details);
        expect(details).toStrictEqual(given);
        expect(reason.fault(values, details)).toStrictEqual(fault);
        expect(JSON.stringify(reason.fault(values, details))).toBe(JSON.stringify(fault));
        expectFrozenJson(fault);
      }),
      { numRuns: runs() },
    );
  }, 120_000);

  it("stamp, redact and render a fault", () => {
    fc.assert(
      fc.property(any.fault, any.stamps, (fault, stamps) => {
        const before = structuredClone(fault);
        const stamped = stampFault(fault, deepFreeze(stamps));
        expectFrozenJson(stamped);
        expect(stampFault(fault, stamps)).toStrictEqual(stamped);
        expect(redactSecrets(fault)).toBe(fault);
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

  it("read a fault", () => {
    fc.assert(
      fc.property(fc.oneof(any.json, any.fault.map(asJson)), (value) => {
        const before = structuredClone(value);
        const fault = readFault(deepFreeze(value));
        expect(readFault(value)).toStrictEqual(fault);
        if (fault !== undefined) expectFrozenJson(fault);
        expect(value).toStrictEqual(before);
      }),
      { numRuns: runs() },
    );
  }, 120_000);
});
