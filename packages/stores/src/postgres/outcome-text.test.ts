import { expect, it } from "vitest";
import { readOutcomeText, writeOutcomeText } from "./outcome-text.ts";

it.each(['{"result":{}}', "", "a\nb", "\u00e4 😀"])("keeps %j as it is", (outcome) => {
  expect(writeOutcomeText(outcome)).toBe(outcome);
  expect(readOutcomeText(outcome)).toBe(outcome);
});

it.each(["a\u0000b", "\u0000", "\u0001", '\u0001"a"', "\u0000\ud800"])("writes %j without loss", (outcome) => {
  const text = writeOutcomeText(outcome);
  expect(text).not.toContain("\u0000");
  expect(readOutcomeText(text)).toBe(outcome);
});
