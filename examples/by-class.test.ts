import { fail } from "@recourse/faults";
import { generators } from "@recourse/faults/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { handOver } from "./by-class.ts";

test.each([
  ["model", fail.invalid_input`The date is wrong.`],
  ["user", fail.approval_required`Somebody has to approve.`],
  ["later", fail.rate_limited`Too many calls.`],
  ["operator", fail.upstream_failed`The carrier failed.`],
  ["model", fail.not_found`There is no such order.`],
])("%s", (who, error) => {
  expect(handOver(error.fault)).toBe(who);
});

test("somebody takes over whatever the failure", () => {
  fc.assert(
    fc.property(generators(fc).fault(), (fault) => {
      expect(["model", "user", "later", "operator"]).toContain(handOver(fault));
    }),
  );
});
