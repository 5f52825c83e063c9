import { rowsOf } from "@recourse/test-kit/rows";
import { expect, it } from "vitest";
import { checkArguments } from "./issues.ts";

// Cases of the official JSON Schema Test Suite (drafts 7 and 2020-12) that this checker once got wrong.

it.each(
  rowsOf<[name: string, schema: Record<string, unknown>, valid: unknown[], invalid: unknown[]]>(
    import.meta.url,
    "standard",
  ),
)("follows the standard: %s", (_, schema, valid, invalid) => {
  for (const args of valid) expect(checkArguments(args, schema), JSON.stringify(args)).toEqual([]);
  for (const args of invalid) expect(checkArguments(args, schema), JSON.stringify(args)).not.toEqual([]);
});

// What cannot be checked counts as right, so it must not make `not`, `oneOf` or `if` refuse a value.
const UNTRIED = { pattern: "^(a+)+$" };
const LONG = "b".repeat(60);
it.each<[string, Record<string, unknown>, unknown]>([
  ["a pattern that is not tried, in not", { not: UNTRIED }, LONG],
  ["a pattern that is not tried, in oneOf", { oneOf: [UNTRIED, { type: "string" }] }, LONG],
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  ["a pattern that is not tried, in if", { if: UNTRIED, then: { maxLength: 0 }, else: { type: "null" } }, LONG],
  ["a pattern that is not tried, in maxContains", { contains: UNTRIED, maxContains: 1 }, [LONG, LONG]],
  ["a reference that is not followed, in not", { not: { $ref: "other.json" } }, 1],
  ["a keyword that is not checked, in not", { not: { unevaluatedItems: false } }, [1]],
  ["a key that many patterns may allow", manyPatterns(), { "x-40": 1 }],
])("does not refuse because of %s", (_, schema, args) => {
  expect(checkArguments(args, schema)).toEqual([]);
});

function manyPatterns(): Record<string, unknown> {
  const patterns = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`^x-${index}$`, {}]));
  return { patternProperties: patterns, additionalProperties: false };
}
