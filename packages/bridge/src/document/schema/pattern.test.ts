import { expect, it } from "vitest";
import { isCheapPattern } from "./pattern.ts";

it.each([
  "^[a-z]{3}$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^acct_[A-Za-z0-9]+$",
  "^\\p{L}[\\]\\w-]*$",
  "^a?b?c?$",
  "^x",
  "^\\$$",
])("takes %s", (source) => {
  expect(isCheapPattern(source)).toBe(true);
});

it.each([
  ["no anchor", "[a-z]+"],
  ["a repeated group", "^(a+)+$"],
  ["a choice", "^(a|a)*$"],
  ["a choice without a group", "^a|b"],
  ["two endless runs", "^\\d+\\d+$"],
  ["many bounded runs", "^a{0,50}a{0,50}a{0,50}$"],
  ["many optional pieces", `^${"a?".repeat(30)}$`],
  ["a reference back", "^(.)\\1$"],
  ["looking ahead", "^(?=a)b$"],
  ["another dialect", "^(?i)abc$"],
  ["an error", "^[a-z"],
  ["an end that other engines have", "^a\\Z"],
  ["great length", `^${"a".repeat(300)}$`],
])("does not take %s", (_, source) => {
  expect(isCheapPattern(source)).toBe(false);
});
