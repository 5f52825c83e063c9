import { expect, it } from "vitest";
import * as root from "../../index.ts";
import { REASONS } from "./reasons.ts";

it("are all that the package exports", () => {
  const exported = Object.values(root)
    .flatMap((module) => (typeof module === "object" ? Object.values(module) : []))
    .filter((value) => typeof value === "function" && "id" in value && "kind" in value);
  expect(exported.length).toBeGreaterThan(100);
  expect(new Set(REASONS)).toEqual(new Set(exported));
  expect(new Set(REASONS.map((reason) => reason.id)).size).toBe(REASONS.length);
});
