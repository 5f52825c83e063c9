import { expect, it } from "vitest";
import { findPattern } from "./pattern-filter.ts";
import { READ_TEXT } from "./pattern-search.ts";

const ECHO = "No user ann@example.com exists.";

it("judges a text as the full filter does if there is no caller", () => {
  for (const text of ["open /etc/passwd", "next=password%3Dhunter2", "No such channel.", ECHO])
    expect(READ_TEXT.ruleForQuote(text, {})).toBe(findPattern(text));
  expect(READ_TEXT.ruleForValue("open /etc/passwd", { allow: ["path"] })).toBeUndefined();
});

it("lets no text pass because it repeats a caller", () => {
  const options = { callerTexts: ["ann@example.com"] };
  expect(findPattern(ECHO, options)).toBeUndefined();
  expect(READ_TEXT.ruleForQuote(ECHO, options)).toBe("personal.email");
});
