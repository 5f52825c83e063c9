import { describe, expect, it } from "vitest";
import { isPlaceholder } from "./placeholder.ts";
import { isAssigned, isProse, looksSecret } from "./values.ts";

it.each([
  ["<token>", true],
  ["\u0024{TOKEN}", true],
  ["$TOKEN", true],
  ["[token]", true],
  ["{token}", true],
  ["(token)", true],
  ["%TOKEN%", true],
  ["...", true],
  ["..", true],
  ["…", true],
  ["***", true],
  ["FOO_API_KEY", true],
  ["FOO_2", true],
  ["FOO", false],
  ["TOKEN", true],
  ["NULL", true],
  ["your-key", true],
  ["your key", true],
  ["my_key", true],
  ["xxx", true],
  ["xx", false],
  ["n/a", true],
  ["[redacted]", true],
  ["Redacted", true],
  ["example", true],
  ["examples", false],
  ["hunter2", false],
  ["a<b>", false],
])("isPlaceholder(%j) is %s", (value, expected) => {
  expect(isPlaceholder(value)).toBe(expected);
});

describe("looksSecret", () => {
  it.each([
    ["hunter2", true],
    ["hunter2.", true],
    ["hunt2", false],
    ["hunt2.", false],
    ["hunter", false],
    ["123456", false],
    ["hunter!x", true],
    ["1234!56", true],
    ["!!!!!!", false],
    ["hunterTwos", true],
    ["hunterTwo", false],
    ["HUnterlongword", true],
    ["Hunterlongword", false],
    ["<hunter2>", false],
    ["sha256", false],
    ["SHA-256", false],
    ["oauth2", false],
    ["base64url", false],
    ["30.5s", false],
    ["10:30:00", false],
    ["500ms", false],
    ["128kib", false],
    ["2026-11-15T10", false],
    ["url-encoded", false],
    ["case-sensitive", false],
    ["aBcDeFgHiJkLmNoP", true],
  ])("(%j) is %s", (value, expected) => {
    expect(looksSecret(value)).toBe(expected);
  });

  it("takes another length", () => {
    expect([looksSecret("hunter2", 8), looksSecret("hunt2", 4), looksSecret("hunt2", 5)]).toStrictEqual([
      false,
      true,
      true,
    ]);
  });
});

describe("isAssigned", () => {
  it.each([
    ["abc", true],
    ["ab", false],
    ["ab.", false],
    ["swordfish", true],
    ["required", false],
    ["missing", false],
    ["Invalid", false],
    ["can't", false],
    ["<abc>", false],
    ["123", false],
    ["1.2", false],
    ["1234", true],
    ["1.2.3", true],
  ])("(%j) is %s", (value, expected) => {
    expect(isAssigned(value)).toBe(expected);
  });

  it("takes another length", () => {
    expect([isAssigned("abcd", 5), isAssigned("abcde", 5)]).toStrictEqual([false, true]);
  });
});

it("knows the words of sentences about secrets", () => {
  const words = [
    "the",
    "THE",
    "can't",
    "expired",
    "missing",
    "readable",
    "possible",
    "mandatory",
    "rotation",
    "payment",
    "only",
  ];
  expect(words.filter((word) => !isProse(word))).toStrictEqual([]);
  expect(["hunter2", "swordfish", "ed", "ing", "xedx"].filter(isProse)).toStrictEqual([]);
});
