import { detect } from "@recourse/faults/dialects";
import { expectNoLeak, generators } from "@recourse/faults/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answer } from "./answer.ts";

const any = generators(fc);

test("whatever a handler throws, nothing of it comes out", async () => {
  await fc.assert(
    fc.asyncProperty(any.leakyText(), async ({ text, canaries }) => {
      const result = await answer(() => Promise.reject(new Error(text)));
      expectNoLeak(result, canaries);
    }),
  );
});

test("whatever dialect a failure comes in, it is not taken for harmless", () => {
  fc.assert(
    fc.property(any.isErrorResult({ kind: "timeout" }), ({ wire, fault }) => {
      const read = detect(wire)?.fault;
      if (fault.effect !== "none") expect(read?.effect).not.toBe("none");
    }),
  );
});
