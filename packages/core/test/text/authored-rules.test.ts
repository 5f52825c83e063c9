import { expect, it } from "vitest";
import { cutText } from "../../src/safety/cut-text.ts";
import { CREDENTIALS, VALUES } from "./texts.ts";

const ruleIn = (text: string) => cutText(text, { scope: "credentials" }).rule;

it.each(VALUES["authored"] ?? [])("shows %j", (value) => {
  expect(ruleIn(value)).toBeUndefined();
});

it.each([...(CREDENTIALS["templates"] ?? []), ...(CREDENTIALS["chat markers"] ?? [])])(
  "stops %j, alone and inside a sentence",
  (value) => {
    expect(ruleIn(value)).toBeDefined();
    expect(ruleIn(`The value ${value} was refused`)).toBeDefined();
  },
);
