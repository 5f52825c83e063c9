import { expect, test } from "vitest";
import { textForPattern } from "./text-for-pattern.ts";

test.each([
  [/^ORD-[0-9]{4,9}$/, "ORD-0000"],
  [/^[A-Z]{2}\d{3}[a-z]+$/, "AA000a"],
  [/^(?:open|closed)-\w?$/, "open-0"],
  [/^(a|b)\.(?<year>\d{4})\/x*$/, "a.0000/x"],
  [/^https:\/\/[a-z.]+$/, "https://a"],
  [/[^0-9a]b/, "Ab"],
])("%s is matched by %s", (pattern, text) => {
  expect(textForPattern(pattern)).toBe(text);
});

test.each([/^(?=a)b$/, /^(a)\1$/, /\bword\b/, /^\p{L}$/u, /^a{999}$/, new RegExp("a".repeat(400))])(
  "%s is not tried",
  (pattern) => {
    expect(textForPattern(pattern)).toBeUndefined();
  },
);
