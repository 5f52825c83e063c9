import { type Fault, type Issue, KINDS, type Kind, type RetryAdvice } from "@recourse/core";
import { isNightly, runs } from "@recourse/test-kit/runs";
import { generators } from "@recourse/testing";
import fc, * as wholeModule from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { BACKOFFS, FAULT_LIMITS, ISSUE_RULES } from "../../src/fault/fault.ts";

const any = generators(fc);

function checkAll<T>(arbitrary: fc.Arbitrary<T>, test: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, test), { numRuns: runs(500) });
}

describe("a generated fault", () => {
  it.each(Object.keys(KINDS) as Kind[])("can have the kind %s", (kind) => {
    const numRuns = runs(isNightly ? 50 : 5);
    for (const fault of fc.sample(any.fault({ kind }), numRuns))
      expect(fault).toMatchObject({ kind, class: KINDS[kind].class });
  });

  it("covers every kind, ad hoc reasons and library reasons, with and without each member", () => {
    const faults = fc.sample(any.fault(), { numRuns: isNightly ? 1_500 : 500, seed: 1 });
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

  it("is the same for the same seed, whether fast-check is imported by default or as a namespace", () => {
    const parameters = { numRuns: 20, seed: 7 };
    expect(fc.sample(generators(wholeModule).fault(), parameters)).toEqual(fc.sample(any.fault(), parameters));
  });
});

describe("parts of a fault", () => {
  it("include lists of issues", () => {
    checkAll(any.issues(), (issues) => {
      expect(issues.length).toBeGreaterThanOrEqual(1);
      expect(issues.length).toBeLessThanOrEqual(FAULT_LIMITS.issues);
      for (const { pointer, rule, expected = "", suggestion = "" } of issues) {
        expect(ISSUE_RULES).toContain(rule);
        expect(pointer).toMatch(/^(?:\/.*)?$/s);
        expect(pointer.length).toBeLessThanOrEqual(FAULT_LIMITS.pointer);
        expect(Math.max(expected.length, suggestion.length)).toBeLessThanOrEqual(FAULT_LIMITS.issueText);
      }
    });
  });

  it("include advice on retrying", () => {
    checkAll(any.retryAdvice(), (advice) => {
      expect([true, false]).toContain(advice.allowed);
      expect([undefined, ...BACKOFFS]).toContain(advice.backoff);
      for (const count of [advice.afterMs ?? 0, advice.maxAttempts ?? 0])
        expect(Number.isSafeInteger(count)).toBe(true);
      expect((advice.jitter ?? 0) >= 0 && (advice.jitter ?? 0) < 1).toBe(true);
    });
  });
});

it("creates typed arbitraries of the caller's own fast-check", () => {
  expect(any.fault()).toBeInstanceOf(fc.Arbitrary);
  expectTypeOf(any.fault()).toExtend<fc.Arbitrary<Fault>>();
  fc.property(any.fault(), any.issues(), any.retryAdvice(), (fault, issues, advice) => {
    expectTypeOf(fault).toEqualTypeOf<Fault>();
    expectTypeOf(issues).toEqualTypeOf<readonly Issue[]>();
    expectTypeOf(advice).toEqualTypeOf<RetryAdvice>();
  });
  fc.tuple(any.secret(), fc.nat()).map(([secret]) => expectTypeOf(secret).toEqualTypeOf<string>());
});
