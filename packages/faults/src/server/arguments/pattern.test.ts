import { expect, it } from "vitest";
import { matches, waysOf } from "./pattern.ts";
import { startWalk } from "./walk.ts";

const tried = (source: string, text: string) => matches(startWalk(true), source, text);

it.each([
  ["^[A-Z]{3}$", "ABC", true],
  ["^[A-Z]{3}$", "abc", false],
  ["b+", "aabb", true],
  ["^\\p{Lu}+$", "ÄÖ", true],
  ["^(?:red|green)$", "blue", false],
  ["^[)|(]\\]$", "(]", true],
  ["^(?<year>\\d{4})-(?=\\d)\\d{2}$", "2026-11", true],
  // Not a Unicode pattern, but one all the same.
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
  ["what is no pattern", "(["],
  ["a stray bracket", "a)+b*)"],
])("leaves out %s", (_, source) => {
  expect(tried(source, "a".repeat(60))).toBeUndefined();
});

it("leaves out what is too long", () => {
  expect(tried("a".repeat(513), "a")).toBeUndefined();
  expect(tried("^a", "a".repeat(513))).toBeUndefined();
});

it("stops when the work is used up", () => {
  const walk = { ...startWalk(true), left: 5 };
  expect(matches(walk, "^a", "a")).toBeUndefined();
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
  expect(waysOf(source, length)).toBe(ways);
});
