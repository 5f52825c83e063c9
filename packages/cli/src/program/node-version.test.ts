import { expect, test } from "vitest";
import { isOlder, oldNode } from "./node-version.ts";

test.for([
  ["18.20.4", ">=20", true],
  ["20.0.0", ">=20", false],
  ["22.18.0", ">=22.19.0", true],
  ["22.19.0", ">=22.19.0", false],
  ["21.0.0", "^20.19.0 || >=22.12.0", false],
  ["18.0.0", "^20.19.0 || >=22.12.0", true],
  ["18.0.0", "*", false],
  ["18.0.0", "", false],
] as const)("Node %s is older than %j: %s", ([version, range, older]) => {
  expect(isOlder(version, range)).toBe(older);
});

test("an old Node.js is told which one is needed", () => {
  expect(oldNode("20.20.2", ">=22.19.0")).toEqual({
    exit: "unreachable",
    code: "node-version",
    message: "recourse needs Node.js 22.19.0 or later. This is 20.20.2.",
  });
  expect(oldNode("22.19.0", ">=22.19.0")).toBeUndefined();
});
