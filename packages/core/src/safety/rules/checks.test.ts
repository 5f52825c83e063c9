import { describe, expect, it } from "vitest";
import { VALUE_CHECKS } from "./checks.ts";
import { BOOK, looksSecret } from "./cut-rules.ts";
import { isPlaceholder } from "./rule.ts";

const isAssigned = (value: string, min?: number) => BOOK.isKind("assigned", value, min);
const isProse = (word: string) => BOOK.isKind("prose", word);

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
    const isSecret = (value: string, min: number) => BOOK.isKind("secret", value, min);
    expect([isSecret("hunter2", 8), isSecret("hunt2", 4), isSecret("hunt2", 5)]).toStrictEqual([false, true, true]);
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

it.each([
  // Twelve characters that change all the time.
  ["a1b2c3d4e5f6", true],
  ["a1b2c3d4e5f", false],
  ["aB3dE5gH7jK9mN1p", true],
  // Words, with capitals and numbers as in names.
  ["getProductByIdentifier", false],
  ["internationalization", false],
  ["version20260101build", false],
  ["CONSTANT_NAME_2", false],
  ["order-2026-000123", false],
  // Few different characters are a pattern.
  ["1a1a1a1a1a1a1a1a", false],
  ["abababab1212", false],
  // Digits alone are a number, letters need both cases.
  ["123456789012345678", false],
  ["aBcDeFgHiJkLmNoP", true],
  ["aBcDeFgHiJkLmNo", false],
  ["ABCDEFGHIJKLMNOPQR", false],
  ["AbcdefghijKlmnopqrSt", false],
  // A tracking number of a parcel has a form of its own.
  ["1Z999AA10123456784", false],
  ["1Z999AA1012345678a", true],
  // Runs that are joined: one of them random, or all of them together.
  ["prefix_a1b2c3d4e5f6g7", true],
  ["a/b2+C3d-E4f_G5h/I6j+K7l", true],
  ["a/b2+C3d-E4f_G5", false],
  ["one-two-three-four-5", false],
  ["V1StGXR8_Z5jdHi6B-myT", true],
  // Sixteen and more need fewer changes.
  ["abcd12efgh34ijkl5", true],
  ["abcdefgh12ijklmnop", false],
  ["abcd12efgh34ijkl", true],
  ["abcd12efgh34ijklm", true],
  ["abcd12efgh34ijklmn", false],
  // Twelve to fifteen need more.
  ["ab12cd34ef56", true],
  ["abc12def34gh", false],
  ["a1b2c3a1b2c3", true],
  // Joined runs: twenty characters, of each kind several, and many changes.
  ["aB3/dE5+gH7-jK9_mN1p", true],
  ["aB3/dE5+gH7-jK9_mN1", false],
  ["ab3/de5+gh7-jk9_mn1p", false],
  ["aB3/dE5+gh7-jk9_mn1p", false],
  ["aB3/dE5+gH7-jk9_mn1p", true],
  ["aB3/DE5+GH7-JK9_MN1p", false],
  ["aB3/dE5+GH7-JK9_MN1p", true],
  ["aBc/dEf+gHi-jKl_mNo1", false],
  ["aBc/dEf+gHi-jK1_mN2p", true],
  ["ABCD/abcd+1234-EFGH_efgh", false],
  // Letters alone: at least 21 changes in 50 places.
  [`aBcDeFgHiJkLmNoPqRsTu${"V".repeat(30)}`, true],
  [`aBcDeFgHiJkLmNoPqRsTu${"V".repeat(31)}`, false],
])("random(%j) is %s", (token, expected) => {
  expect(VALUE_CHECKS.random(token)).toBe(expected);
});
