import { expect, it } from "vitest";
import { AUTHORED_RULES } from "../../src/safety/rules/authored.ts";
import { firstRuleIn } from "../../src/safety/rules/rule.ts";
import { AUTHORED_VALUES } from "./authored-values.ts";
import { CHAT_MARKERS, CREDENTIALS } from "./credentials.ts";

it("has a corpus of some size", () => {
  expect(AUTHORED_VALUES.length).toBeGreaterThanOrEqual(150);
  expect(CREDENTIALS.length).toBeGreaterThanOrEqual(80);
});

it.each(AUTHORED_VALUES)("shows %j", (value) => {
  expect(firstRuleIn(AUTHORED_RULES, value)).toBeUndefined();
});

it.each([...CREDENTIALS, ...CHAT_MARKERS])("stops %j", (value) => {
  expect(firstRuleIn(AUTHORED_RULES, value)).toBeDefined();
});

it.each([...CREDENTIALS, ...CHAT_MARKERS])("stops it inside a sentence: %j", (value) => {
  // Markers of roles count at the start only, or after an empty line.
  const text = /^\s*[<[](?![|<]|INST)/.test(value) ? `${value} was refused` : `The value ${value} was refused`;
  expect(firstRuleIn(AUTHORED_RULES, text)).toBeDefined();
});
