import { expect, it } from "vitest";
import { z } from "zod";
import { isCheapPattern, matchesPattern, patternCost } from "./pattern-cost.ts";
import { startScope } from "./scope.ts";

const tried = (source: string, text: string) => matchesPattern(startScope(true), source, text);

it.each([
  ["^[A-Z]{3}$", "ABC", true],
  ["^[A-Z]{3}$", "abc", false],
  ["b+", "aabb", true],
  ["^\\p{Lu}+$", "ÄÖ", true],
  ["^(?:red|green)$", "blue", false],
  ["^[)|(]\\]$", "(]", true],
  ["^(?<year>\\d{4})-(?=\\d)\\d{2}$", "2026-11", true],
  // Valid only without the Unicode flag.
  ["^\\-$", "-", true],
] as const)("tries %s on %s", (source, text, expected) => {
  expect(tried(source, text)).toBe(expected);
});

it.each([
  ["nested repetition", "^(a+)+$"],
  ["repeated choice", "^(a|a)*$"],
  ["many optional parts", `^${"a?".repeat(40)}${"a".repeat(40)}$`],
  ["a repeated optional part", "^(a?){40}a{40}$"],
  ["several repetitions of anything", "^.*.*.*.*x$"],
  ["a back reference", "^(a+)\\1$"],
  ["an invalid pattern", "(["],
  ["a stray bracket", "a)+b*)"],
])("does not try %s", (_, source) => {
  expect(tried(source, "a".repeat(60))).toBeUndefined();
});

it("does not try what is too long", () => {
  expect(tried("a".repeat(513), "a")).toBeUndefined();
  expect(tried("^a", "a".repeat(513))).toBeUndefined();
});

it("stops when the work is used up", () => {
  const scope = { ...startScope(true), left: 5 };
  expect(matchesPattern(scope, "^a", "a")).toBeUndefined();
});

it.each([
  ["^abc$", 10, 1],
  ["abc", 10, 11],
  ["^a*$", 10, 11],
  ["^a{2,4}$", 10, 3],
  ["^a{2}$", 10, 1],
  ["^a{2,}$", 10, 9],
  ["^(?:a?){3}$", 10, 8],
  ["^\\u{1F600}\\x41\\u0041$", 10, 1],
] as const)("counts the ways of %s on %i characters", (source, length, ways) => {
  expect(patternCost(source, length)).toBe(ways);
});

it.each([
  "^[a-z]{3}$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^acct_[A-Za-z0-9]+$",
  "^\\p{L}[\\]\\w-]*$",
  "^[a-z]{1,255}$",
  "^a?b?c?$",
  "^[(|)]$",
  "^x",
  "^\\$$",
  "^(?:red|green)$",
  "^(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|02-(?:0[1-9]|1\\d|2[0-8]))$",
])("publishes %s", (source) => {
  expect(isCheapPattern(source)).toBe(true);
});

it("publishes what Zod writes for a date", () => {
  expect(isCheapPattern(String(z.toJSONSchema(z.iso.date())["pattern"]))).toBe(true);
});

it.each([
  ["no anchor", "[a-z]+"],
  ["a repeated group", "^(a+)+$"],
  ["a repeated choice", "^(a|a)*$"],
  ["an endless repetition beside a choice", "^(?:a|b)c+$"],
  ["a choice that is repeated often", "^(?:a|a){30}$"],
  ["a group with a name", "^(?<year>\\d{4})$"],
  ["a choice without a group", "^a|b"],
  ["two endless repetitions", "^\\d+\\d+$"],
  ["many bounded repetitions", "^a{0,50}a{0,50}a{0,50}$"],
  ["many optional parts", `^${"a?".repeat(30)}$`],
  ["a back reference", "^(.)\\1$"],
  ["a look ahead", "^(?=a)b$"],
  ["a flag of other engines", "^(?i)abc$"],
  ["an error", "^[a-z"],
  ["an anchor of other engines", "^a\\Z"],
  ["great length", `^${"a".repeat(300)}$`],
])("does not publish %s", (_, source) => {
  expect(isCheapPattern(source)).toBe(false);
});
