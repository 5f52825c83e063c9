import fc from "fast-check";
import { expect, test } from "vitest";
import { type Font, measureText } from "./measure.ts";
import { breakLines } from "./rich-text.ts";

const FONT: Font = { family: "sans", size: 13, weight: 400 };
const write = (markup: string, width: number) =>
  breakLines(markup, FONT, width).map(({ runs }) => runs.map(({ text }) => text).join(""));

test("markup gives runs, and the signs are not shown", () => {
  const [line] = breakLines("Call `retry` or **stop**, ==now==.", FONT, 1_000);
  expect(line?.runs.map(({ text, look }) => [text, look])).toEqual([
    ["Call ", "plain"],
    ["retry", "code"],
    [" or ", "plain"],
    ["stop", "strong"],
    [", ", "plain"],
    ["now", "marked"],
    [".", "plain"],
  ]);
});

test("a comma stays with its word, and a number with its unit", () => {
  expect(write("aaaa `bbbb`, cccc", 40)).toEqual(["aaaa", "bbbb,", "cccc"]);
  expect(write("wait for 50 ms", 1)).toEqual(["wait", "for", "50\u00a0ms"]);
});

test("no word is lost, and only single words are wider than the line", () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), fc.integer({ min: 20, max: 400 }), (words, width) => {
      const lines = breakLines(words.join(" "), FONT, width);
      const texts = lines.map(({ runs }) => runs.map(({ text }) => text).join(""));
      expect(texts.join(" ")).toBe(words.join(" "));
      for (const [at, text] of texts.entries())
        if (text.includes(" ")) expect(lines[at]?.width).toBeLessThanOrEqual(width + 1e-6);
    }),
  );
});

test("letters of code have one width, heavier letters are wider", () => {
  expect(measureText("iiii", { ...FONT, family: "mono" })).toBe(measureText("mmmm", { ...FONT, family: "mono" }));
  expect(measureText("ab", { ...FONT, weight: 600 })).toBeGreaterThan(measureText("ab", FONT));
});
