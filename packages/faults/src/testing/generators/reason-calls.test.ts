import { expect, it } from "vitest";
import * as root from "../../index.ts";
import { LIBRARY_REASONS } from "./reason-calls.ts";

it("the library reasons are all reasons that the package exports", () => {
  const exported = Object.values(root)
    .flatMap((module) => (typeof module === "object" ? Object.values(module) : []))
    .filter((value) => typeof value === "function" && "id" in value && "kind" in value);
  expect(exported.length).toBeGreaterThan(100);
  expect(new Set(LIBRARY_REASONS)).toEqual(new Set(exported));
  expect(new Set(LIBRARY_REASONS.map((reason) => reason.id)).size).toBe(LIBRARY_REASONS.length);
});
