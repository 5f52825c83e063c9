import { expect, test } from "vitest";
import { findLowScores } from "./lighthouse.ts";

const scores = { performance: 90, accessibility: 100, "best-practices": 96, seo: 100 };

test("performance counts only if it is asked for, with a limit for each page", () => {
  expect(findLowScores("landing", scores, { isStrict: false })).toEqual(["best-practices"]);
  expect(findLowScores("landing", scores, { isStrict: true })).toEqual(["performance", "best-practices"]);
  expect(findLowScores("playground", scores, { isStrict: true })).toEqual(["best-practices"]);
});
