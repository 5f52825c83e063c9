import { expect, it } from "vitest";
import { firstRuleIn, type PatternRule } from "./rule.ts";

const RULES: readonly PatternRule[] = [
  { id: "path.etc", find: /\/etc\/\w+/ },
  { id: "id.even", find: /\d+/g, confirm: ([digits]) => Number(digits) % 2 === 0 },
  { id: "hostile.any", find: /any/ },
];

it.each([
  ["/etc/motd 2", "path.etc"],
  ["1, 3 and 4", "id.even"],
  ["1, 3 and 5", undefined],
  ["any of 1 and 3", "hostile.any"],
  ["none", undefined],
])("finds in %j the rule %j", (text, rule) => {
  expect(firstRuleIn(RULES, text)).toBe(rule);
  // A rule with the flag g must not continue where it stopped.
  expect(firstRuleIn(RULES, text)).toBe(rule);
});

it("leaves out the groups that are allowed, by their whole name", () => {
  expect(firstRuleIn(RULES, "/etc/motd 2", ["path"])).toBe("id.even");
  expect(firstRuleIn(RULES, "/etc/motd 2", ["id", "path"])).toBeUndefined();
  expect(firstRuleIn(RULES, "/etc/motd", ["id"])).toBe("path.etc");
  expect(firstRuleIn(RULES, "any", ["host"])).toBe("hostile.any");
});
