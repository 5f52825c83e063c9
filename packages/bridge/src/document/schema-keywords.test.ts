import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isPrintableLine, showableChoices, showableDefault, toPrintableLine } from "./schema-keywords.ts";

it("copies all choices or none", () => {
  expect(showableChoices(["a", 1, null, false])).toEqual(["a", 1, null, false]);
  for (const hostile of ["a\nb", "x".repeat(300), "a\u200b", { a: 1 }])
    expect(showableChoices(["a", hostile])).toBeUndefined();
  expect(showableChoices([])).toBeUndefined();
  expect(showableChoices(Array(501).fill("a"))).toBeUndefined();
});

it("copies defaults that can be shown", () => {
  for (const value of ["a", 0, false, null, ["a"], { a: { b: 1 } }]) expect(showableDefault(value)).toEqual(value);
  for (const value of ["a\u0000", "x".repeat(300), ["a\u202e"], { a: "x".repeat(2_000) }])
    expect(showableDefault(value)).toBeUndefined();
});

it.each([
  ["<p>Creates a <b>client</b>.</p>\n<br/>", "Creates a client."],
  ["if a < b and c > d, x<y>", "if a < b and c > d, x<y>"],
  ["ab\u0000c\u001b[31m red\r\nnext\u202e dcba", "ab c [31m red next dcba"],
  ["hidden\u{e0041}\u200b\u2060text\ufeff", "hiddentext"],
  ["see ![logo](https://evil.example/?q=1) here", "see logo here"],
  [5, ""],
  [undefined, ""],
])("makes one line of %j", (text, line) => {
  expect(toPrintableLine(text, 200)).toBe(line);
});

it("never exceeds its maximum length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 1, max: 100 }), (text, max) => {
      const line = toPrintableLine(text, max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: runs(300) },
  );
});

it("marks a cut text", () => {
  expect(toPrintableLine("a".repeat(50), 10)).toBe(`${"a".repeat(9)}…`);
  expect(toPrintableLine(`${"a".repeat(8)}😀😀`, 10)).toBe(`${"a".repeat(8)}…`);
});

it("is quick with a text of megabytes", () => {
  expect(toPrintableLine("<a![".repeat(1_000_000), 100)).toHaveLength(100);
});

it("recognises texts that can be shown unchanged", () => {
  expect(isPrintableLine("a  b", 10)).toBe(true);
  for (const text of ["a\nb", "a\u200bb", "a\ud800", "a".repeat(11), "\ta"])
    expect(isPrintableLine(text, 10)).toBe(false);
});
