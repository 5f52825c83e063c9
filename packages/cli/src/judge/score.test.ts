import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHECK_SEVERITIES, type CheckSeverity } from "../checks/check.ts";
import { computeGrade, computeScore, findingCost, type ScoredGroup, SHARES } from "./score.ts";

const alone = (...severities: CheckSeverity[]): ScoredGroup[] =>
  severities.map((severity) => ({ severity, consequences: [] }));
const severity = fc.constantFrom(...CHECK_SEVERITIES);
const group = fc.record({ severity, consequences: fc.array(severity, { maxLength: 4 }) });
const groups = fc.array(group, { maxLength: 12 });

describe("scoreOf", () => {
  it.each([
    [[], 100],
    [["info"], 100],
    [["low"], 99],
    [["medium"], 96],
    [["high"], 88],
    [["critical"], 59],
    [["critical", "critical"], 36],
    [["medium", "medium"], 92],
    [["critical", "medium", "medium", "medium", "low", "low", "low", "low", "low", "low", "low"], 49],
  ] satisfies [CheckSeverity[], number][])("gives %j a score of %d", (severities, score) => {
    expect(computeScore(alone(...severities))).toBe(score);
  });

  it("does not depend on the order", () => {
    fc.assert(
      fc.property(groups, fc.infiniteStream(fc.nat()), (some, keys) => {
        const shuffled = some
          .map((one) => ({ one, key: keys.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(computeScore(shuffled)).toBe(computeScore(some));
      }),
    );
  });

  it("never rises with one more finding, or with a worse one", () => {
    fc.assert(
      fc.property(groups, group, severity, (some, more, other) => {
        const worse = SHARES[other] >= SHARES[more.severity] ? other : more.severity;
        const with_ = computeScore([...some, more]);
        expect(with_).toBeLessThanOrEqual(computeScore(some));
        expect(computeScore([...some, { ...more, severity: worse }])).toBeLessThanOrEqual(with_);
      }),
    );
  });

  it("is a whole number from 0 to 100, and under 60 with a critical finding", () => {
    fc.assert(
      fc.property(groups, (some) => {
        const score = computeScore(some);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        if (some.some((one) => one.severity === "critical")) expect(score).toBeLessThan(60);
      }),
    );
  });
});

describe("costOf", () => {
  it("is the share of the cause, or of the consequences where they cost more", () => {
    expect(findingCost({ severity: "critical", consequences: ["high", "medium"] })).toBe(0.4);
    expect(findingCost({ severity: "low", consequences: ["medium"] })).toBe(0.04);
    expect(findingCost({ severity: "high", consequences: ["high", "medium"] })).toBe(0.1552);
  });
});

describe("gradeOf", () => {
  const full = { applied: 76, of: 76 };

  it.each([
    [100, "A"],
    [90, "A"],
    [89, "B"],
    [75, "B"],
    [74, "C"],
    [60, "C"],
    [59, "D"],
    [40, "D"],
    [39, "F"],
    [0, "F"],
  ])("gives %d the grade %s", (score, grade) => {
    expect(computeGrade(score, full)).toBe(grade);
  });

  it("has a question mark if fewer than 60 % of the checks applied", () => {
    expect(computeGrade(80, { applied: 45, of: 76 })).toBe("B?");
    expect(computeGrade(80, { applied: 46, of: 76 })).toBe("B");
    expect(computeGrade(80, { applied: 6, of: 10 })).toBe("B");
  });
});
