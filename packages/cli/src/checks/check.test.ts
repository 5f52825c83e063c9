import { expect, it } from "vitest";
import { exchangeOf, silence } from "../../test/support/make-recording.ts";
import { failCheck, judgeEach, quoteText, visibleText } from "./check.ts";

const ONE = exchangeOf("valid-call", silence(), { tool: "one" });
const TWO = exchangeOf("valid-call", silence(), { tool: "two" });

it("fails with the first sentence, and all that are wrong as evidence", () => {
  const wrong = ({ tool }: typeof ONE) => `${tool} is silent.`;
  expect(judgeEach([ONE, TWO], { nothing: "Nothing.", wrong })).toStrictEqual({
    state: "fail",
    message: "one is silent.",
    evidence: ["valid-call/one", "valid-call/two"],
  });
});

it("passes if nothing is wrong, and is skipped if there is nothing", () => {
  const judgement = { nothing: "No tool was called.", wrong: () => undefined };
  expect(judgeEach([ONE], judgement)).toStrictEqual({ state: "pass" });
  expect(judgeEach([], judgement)).toStrictEqual({ state: "skipped", because: "No tool was called." });
});

it("names a bounded number of exchanges", () => {
  expect(failCheck("Bad.", [ONE, ...Array.from({ length: 1_000 }, () => TWO)])).toMatchObject({
    evidence: { length: 200 },
  });
});

it.each([
  ["plain", '"plain"'],
  ['no tool "x"', `"no tool 'x'"`],
  ["two\nlines", '"two lines"'],
  ["a\u001b[31mb\u202ec", '"a\\u{1b}[31mb\\u{202e}c"'],
  ["x".repeat(300), `"${"x".repeat(79)}…"`],
  ["😀".repeat(100), `"${"😀".repeat(79)}…"`],
  ["\ud800", '"\ufffd"'],
])("shows %j as %s", (text, shown) => {
  expect(quoteText(text)).toBe(shown);
});

it("bounds what it reads", () => {
  expect(visibleText(`${" ".repeat(1_000_000)}x`)).toBe("…");
});
