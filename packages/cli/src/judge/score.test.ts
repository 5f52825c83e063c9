import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHECK_SEVERITIES, type CheckSeverity } from "../checks/check.ts";
import { computeGrade, computeScore, coverageCap, findingCost, type ScoredGroup, SHARES } from "./score.ts";

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

describe("computeGrade", () => {
  const sure = (score: number) => computeGrade({ score, atMost: score, run: 76, of: 76 });

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
    expect(sure(score)).toBe(grade);
  });

  it("has a question mark if fewer than 60 % of the checks were run", () => {
    expect(computeGrade({ score: 80, atMost: 80, run: 45, of: 76 })).toBe("B?");
    expect(computeGrade({ score: 80, atMost: 80, run: 46, of: 76 })).toBe("B");
    expect(computeGrade({ score: 80, atMost: 80, run: 6, of: 10 })).toBe("B");
  });

  it("has a question mark if what was not tested could make another grade of it", () => {
    expect(computeGrade({ score: 74, atMost: 100, run: 70, of: 76 })).toBe("C?");
    expect(computeGrade({ score: 92, atMost: 100, run: 70, of: 76 })).toBe("A");
    expect(computeGrade({ score: 3, atMost: 59, run: 70, of: 76 })).toBe("?");
    expect(computeGrade({ score: 3, atMost: 30, run: 70, of: 76 })).toBe("F");
  });
});

describe("coverageCap", () => {
  it.each([
    [76, 0, 100],
    [90, 10, 100],
    [89, 11, 89],
    [75, 25, 89],
    [74, 26, 74],
    [50, 50, 74],
    [49, 51, 59],
    [0, 10, 59],
    [0, 0, 59],
  ])("with %d tested and %d not tested is %d", (applied, notTested, cap) => {
    expect(coverageCap({ applied, notTested })).toBe(cap);
  });
});
