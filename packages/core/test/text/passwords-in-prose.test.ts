// Both sides of the rule for passwords in prose: what it finds, and what it stops by mistake.
import { expect, it } from "vitest";
import { cutText } from "../../src/safety/cut-text.ts";
import { installTextFilter } from "../../src/safety/full-search.ts";
import { ORDINARY_LATER, ORDINARY_PASSES, PASSWORDS_IN_PROSE, PASSWORDS_LATER } from "./passwords-in-prose.ts";

installTextFilter();
const isShown = (text: string) => cutText(text).rule === undefined;

it.each([
  ["first", PASSWORDS_IN_PROSE, 0],
  ["later", PASSWORDS_LATER, 4],
] as const)("finds passwords: %s set", (_, texts, missed) => {
  expect(texts.filter(isShown).length).toBeLessThanOrEqual(missed);
});

it.each([
  ["first", ORDINARY_PASSES, 0],
  ["later", ORDINARY_LATER, 1],
] as const)("lets ordinary sentences pass: %s set", (_, texts, stopped) => {
  expect(texts.filter((text) => !isShown(text)).length).toBeLessThanOrEqual(stopped);
});
