import { expect, it } from "vitest";
import { cutText } from "../../src/safety/cut-text.ts";
import { AUTHORED_VALUES } from "./authored-values.ts";
import { CHAT_MARKERS, CREDENTIALS } from "./credentials.ts";

const ruleIn = (text: string) => cutText(text, { scope: "credentials" }).rule;

it("has a corpus of some size", () => {
  expect(AUTHORED_VALUES.length).toBeGreaterThanOrEqual(150);
  expect(CREDENTIALS.length).toBeGreaterThanOrEqual(80);
});

it.each(AUTHORED_VALUES)("shows %j", (value) => {
  expect(ruleIn(value)).toBeUndefined();
});

it.each([...CREDENTIALS, ...CHAT_MARKERS])("stops %j", (value) => {
  expect(ruleIn(value)).toBeDefined();
});

it.each([...CREDENTIALS, ...CHAT_MARKERS])("stops it inside a sentence: %j", (value) => {
  expect(ruleIn(`The value ${value} was refused`)).toBeDefined();
});
