import { expect, it } from "vitest";
import examples from "../../../test/text/rule-examples.json" with { type: "json" };
import { findMatches } from "../find-matches.ts";
import { CUT_RULES } from "./cut-rules.ts";
import { RULE_GROUPS } from "./rule.ts";

function fires(id: string, text: string): boolean {
  return CUT_RULES.some((rule) => rule.id === id && findMatches(rule, text).length > 0);
}

it.each(Object.entries(examples))("%s cuts its example and leaves its neighbour", (id, { cuts, leaves }) => {
  expect([fires(id, cuts), fires(id, leaves)]).toEqual([true, false]);
});

it("has an example for each rule", () => {
  expect(Object.keys(examples).sort()).toEqual([...new Set(CUT_RULES.map(({ id }) => id))].sort());
});

it("has names that begin with their group", () => {
  expect(CUT_RULES.filter((rule) => !RULE_GROUPS.some((group) => rule.id.startsWith(`${group}.`)))).toEqual([]);
});
