import * as library from "@recourse/core/reasons";
import { expect, it } from "vitest";
import { ALL_REASONS } from "./faults.ts";

it("the library reasons are all reasons that the package exports", () => {
  const exported = Object.values(library)
    .flatMap((module) => (typeof module === "object" ? Object.values(module) : []))
    .filter((value) => typeof value === "function" && "id" in value && "kind" in value);
  expect(exported.length).toBeGreaterThan(100);
  expect(new Set(ALL_REASONS)).toEqual(new Set(exported));
  expect(new Set(ALL_REASONS.map((reason) => reason.id)).size).toBe(ALL_REASONS.length);
});
