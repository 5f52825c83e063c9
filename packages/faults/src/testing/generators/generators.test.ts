import { Ajv2020 } from "ajv/dist/2020.js";
import fc, * as wholeModule from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import schema from "../../../schema/fault.json" with { type: "json" };
import { runs } from "../../../test/runs.ts";
import { BACKOFFS, type Fault, type Issue, MAX, type RetryWord, RULES } from "../../fault/fault.ts";
import { KINDS, type Kind } from "../../fault/kinds.ts";
import { readFault } from "../../fault/read.ts";
import { generators } from "./generators.ts";

const any = generators(fc);
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function check<T>(arbitrary: fc.Arbitrary<T>, test: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, test), { numRuns: runs(500) });
}

describe("a generated fault", () => {
  it("is read back unchanged, and fits the published schema", () => {
    check(any.fault(), (fault) => {
      expect(readFault(asJson(fault))).toStrictEqual(fault);
      validate(fault);
      expect(validate.errors).toBeNull();
    });
  });

  it.each(Object.keys(KINDS) as Kind[])("can be of the kind %s", (kind) => {
    const numRuns = runs(50);
    for (const fault of fc.sample(any.fault({ kind }), numRuns))
      expect(fault).toMatchObject({ kind, class: KINDS[kind].class });
  });

  it("is any of them: every kind, ad hoc and of the library, bare and full", () => {
    const faults = fc.sample(any.fault(), { numRuns: 1_500, seed: 1 });
    expect(new Set(faults.map((fault) => fault.kind))).toEqual(new Set(Object.keys(KINDS)));
    expect(faults.some((fault) => fault.reason.startsWith("adhoc/"))).toBe(true);
    expect(faults.some((fault) => fault.cause?.cause?.cause !== undefined)).toBe(true);
    for (const member of [
      "params",
      "quote",
      "retry",
      "issues",
      "limits",
      "tried",
      "incident",
      "docs",
      "cause",
    ] as const) {
      expect(faults.filter((fault) => fault[member] !== undefined).length, member).toBeGreaterThan(50);
      expect(faults.filter((fault) => fault[member] === undefined).length, member).toBeGreaterThan(50);
    }
  });

  it("is the same for the same seed, and of either import of the module", () => {
    const parameters = { numRuns: 20, seed: 7 };
    expect(fc.sample(generators(wholeModule).fault(), parameters)).toEqual(fc.sample(any.fault(), parameters));
  });
});

describe("parts of a fault", () => {
  it("are lists of issues", () => {
    check(any.issues(), (issues) => {
      expect(issues.length).toBeGreaterThanOrEqual(1);
      expect(issues.length).toBeLessThanOrEqual(MAX.issues);
      for (const { pointer, rule, expected = "", suggestion = "" } of issues) {
        expect(RULES).toContain(rule);
        expect(pointer).toMatch(/^(?:\/.*)?$/s);
        expect(pointer.length).toBeLessThanOrEqual(MAX.pointer);
        expect(Math.max(expected.length, suggestion.length)).toBeLessThanOrEqual(MAX.issueText);
      }
    });
  });

  it("are words on repeating", () => {
    check(any.retryWord(), (word) => {
      expect([true, false]).toContain(word.allowed);
      expect([undefined, ...BACKOFFS]).toContain(word.backoff);
      for (const count of [word.afterMs ?? 0, word.maxAttempts ?? 0]) expect(Number.isSafeInteger(count)).toBe(true);
      expect((word.jitter ?? 0) >= 0 && (word.jitter ?? 0) < 1).toBe(true);
    });
  });
});

it("gives arbitraries of the caller's own library, typed", () => {
  expect(any.fault()).toBeInstanceOf(fc.Arbitrary);
  expectTypeOf(any.fault()).toExtend<fc.Arbitrary<Fault>>();
  fc.property(any.fault(), any.issues(), any.retryWord(), (fault, issues, word) => {
    expectTypeOf(fault).toEqualTypeOf<Fault>();
    expectTypeOf(issues).toEqualTypeOf<readonly Issue[]>();
    expectTypeOf(word).toEqualTypeOf<RetryWord>();
  });
  fc.tuple(any.secret(), fc.nat()).map(([secret]) => expectTypeOf(secret).toEqualTypeOf<string>());
});
