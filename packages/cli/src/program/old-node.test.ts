import { expect, test } from "vitest";
import { oldNode } from "./old-node.ts";

test("an old Node.js is told which one is needed", () => {
  expect(oldNode("20.20.2", ">=22.19.0")).toEqual({
    exit: "unreachable",
    code: "node-version",
    message: "recourse needs Node.js 22.19.0 or later. This is 20.20.2.",
  });
  expect(oldNode("22.19.0", ">=22.19.0")).toBeUndefined();
});
