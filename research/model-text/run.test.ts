import { describe, expect, test } from "vitest";
import { PRESCRIBED, REMARKS } from "./judgements.ts";
import { shortcomings, storedTexts } from "./page.ts";
import { brokenRules } from "./rubric.ts";
import { keyOf, runSituations, SITUATIONS } from "./run.ts";

const { before, now } = storedTexts();
const keys = SITUATIONS.map(keyOf);

test("the failures read as the page says", async () => {
  expect(await runSituations(), "run: npm run research -- model-text && npm run generate").toEqual(now);
}, 60_000);

test("every situation has both texts, and nothing else has", () => {
  expect(Object.keys(before.texts).toSorted()).toEqual(keys.toSorted());
  expect(Object.keys(now).toSorted()).toEqual(keys.toSorted());
  for (const key of [...Object.keys(REMARKS), ...Object.keys(PRESCRIBED)]) expect(keys).toContain(key);
});

test.each(keys.filter((key) => PRESCRIBED[key] === undefined))(
  "%s meets the rubric, or a remark says why not",
  (key) => {
    const found = shortcomings(key, now[key] ?? "");
    expect(found.filter(([, remark]) => remark === undefined)).toEqual([]);
  },
);

describe("the rubric", () => {
  const GOOD = 'Order "7" does not exist. Call again with a different name or id.';

  test.each([
    [GOOD, []],
    ["It was not found. Call again with a different name or id.", ["subject"]],
    ['Order "7" is gone. Use another one.', ["subject"]],
    ["Not found. Call again with a different name or id.", ["subject"]],
    ["Not found. Quote from the server: “Order 7” Call again with a different name or id.", []],
    ['Order "7" does not exist.', ["move"]],
    [`${GOOD} Ask the user what to do.`, ["move"]],
    ["The server is busy. Repeat this call in a moment. Do not repeat this call.", ["move", "consistent"]],
    ["The server is busy. The call may have taken effect. Repeat this call in a moment.", ["consistent"]],
    ["The server is busy. Repeat this call in 90 s.", ["short"]],
    ["The server is busy. Repeat this call in 90 seconds.", []],
    [`${"The server is very busy. ".repeat(20)}Repeat this call in a moment.`, ["short"]],
    [`The server is busy. Quote from the server: “${"word ".repeat(90)}” Repeat this call in a moment.`, []],
  ])("%s", (text, broken) => {
    expect(brokenRules(text)).toEqual(broken);
  });
});
