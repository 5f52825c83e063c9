import { expect, test } from "vitest";
import { expandUpcE } from "./upc-e.ts";

test.each([
  ["01278907", "012000007897"],
  ["02345673", "023456000073"],
  ["09867539", "098600000759"],
  ["01278900", undefined],
  ["12345670", undefined],
  ["0123456", undefined],
])("%s stands for %s", (short, long) => {
  expect(expandUpcE(short)).toBe(long);
});
