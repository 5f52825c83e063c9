import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import { detect } from "../../dialects/detect.ts";
import { generators } from "./generators.ts";

const any = generators(fc);

it("is a failure exactly when it has a fault", () => {
  fc.assert(
    fc.property(any.outcome(), ({ wire, fault }) => {
      expect(detect(wire) === undefined).toBe(fault === undefined);
    }),
    { numRuns: runs(300) },
  );
});

it("is a success now and then, and a failure in each form", () => {
  const drawn = fc.sample(any.outcome(), { numRuns: 400, seed: 1 });
  const forms = drawn.map(({ wire, fault }) => {
    if (fault === undefined) return "success";
    return "isError" in wire ? "result" : "status" in wire ? "reply" : "error";
  });
  for (const form of ["success", "result", "error", "reply"])
    expect(forms.filter((one) => one === form).length, form).toBeGreaterThan(40);
});
