// Both sides of the rule for passwords in prose: what it finds, and what it stops by mistake.
import { expect, it } from "vitest";
import { cutText } from "../../src/safety/cut-text.ts";
import { installTextFilter } from "../../src/safety/full-search.ts";
import { PASSES } from "./texts.ts";

installTextFilter();

it.each([
  ["passwords", 0],
  ["ordinary", 30],
  ["later passwords", 4],
  ["later ordinary", 29],
])("shows of the %s %d texts", (set, shown) => {
  const count = PASSES[set]?.filter((text) => cutText(text).rule === undefined).length ?? Number.NaN;
  if (set.endsWith("passwords")) expect(count).toBeLessThanOrEqual(shown);
  else expect(count).toBeGreaterThanOrEqual(shown);
});
