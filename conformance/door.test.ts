// The library passes every vector through the door of the runner, and the vectors catch every wrong implementation.
import { installTextFilter } from "@recourse/core/safety";
import type { JsonObject } from "@recourse/core/wire";
import { expect, it } from "vitest";
import { judgeVector } from "../packages/cli/src/conformance/run.ts";
import { collectVectors } from "../packages/cli/src/conformance/vectors.ts";
import { answer, type DoorRequest } from "./door.ts";
import { WRONG_IMPLEMENTATIONS } from "./wrong-implementations.ts";

installTextFilter();
const vectors = collectVectors(import.meta.dirname);

function countFailed(implementation: (request: DoorRequest) => object): number {
  return vectors.filter((vector) => {
    const given = JSON.parse(JSON.stringify(implementation(vector.request as unknown as DoorRequest))) as JsonObject;
    return judgeVector(vector, given) !== undefined;
  }).length;
}

it("there are vectors of every level, and the library passes all of them", () => {
  expect(new Set(vectors.map(({ level }) => level))).toEqual(new Set(["reader", "writer", "advisor", "dialects"]));
  expect(countFailed(answer)).toBe(0);
});

it.each(WRONG_IMPLEMENTATIONS)("$breaks is noticed: an implementation that $about", ({ answer: wrong }) => {
  expect(countFailed(wrong)).toBeGreaterThan(0);
});
