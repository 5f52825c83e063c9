import fc from "fast-check";
import { expect, it, test } from "vitest";
import { isNightly, runs } from "../../../test/runs.ts";
import { detect } from "../../dialects/detect.ts";
import { generators } from "../generators.ts";
import type { GeneratedFailure } from "./replies.ts";

const any = generators(fc);

const FAILURES = {
  isErrorResult: { arbitrary: any.isErrorResult(), dialects: ["mcp", "closient", "onx", "qaqnuz", "platica"] },
  jsonRpcError: { arbitrary: any.jsonRpcError(), dialects: ["mcp", "onx", "erlmcp", "platica"] },
  httpFailure: { arbitrary: any.httpFailure(), dialects: ["closient", "http"] },
};

for (const [name, { arbitrary, dialects }] of Object.entries(FAILURES)) {
  it(`${name} is JSON that is decoded as a failure, never with less effect than it had`, () => {
    fc.assert(
      fc.property<[GeneratedFailure<unknown>]>(arbitrary, ({ wire, fault }) => {
        expect(JSON.parse(JSON.stringify(wire))).toStrictEqual(wire);
        const decoded = detect(wire)?.fault;
        expect(decoded).toBeDefined();
        // A decoder may lose that there was no effect, but must not invent it.
        if (fault.effect !== "none") expect(decoded?.effect).not.toBe("none");
      }),
      { numRuns: runs(300) },
    );
  });

  it(`${name} covers every dialect that has the form`, () => {
    const drawn = fc.sample<GeneratedFailure<unknown>>(arbitrary, { numRuns: isNightly ? 600 : 300, seed: 1 });
    expect(new Set(drawn.map(({ dialect }) => dialect))).toEqual(new Set(dialects));
  });
}

test("failures have the form of their protocol", () => {
  const numRuns = runs(isNightly ? 200 : 30);
  fc.assert(
    fc.property(any.isErrorResult(), ({ wire }) => {
      expect(wire).toMatchObject({ isError: true, content: [{ type: "text", text: expect.any(String) }] });
    }),
    { numRuns },
  );
  fc.assert(
    fc.property(any.jsonRpcError(), ({ wire }) => {
      expect(Number.isSafeInteger(wire.code)).toBe(true);
      expect(wire.message).toEqual(expect.any(String));
    }),
    { numRuns },
  );
  fc.assert(
    fc.property(any.httpFailure({ kind: "rate_limited" }), ({ wire }) => {
      expect(wire).toMatchObject({ status: 429, headers: { "content-type": "application/problem+json" } });
    }),
    { numRuns },
  );
});

it("an outcome is decoded as a failure exactly if it has a fault", () => {
  fc.assert(
    fc.property(any.outcome(), ({ wire, fault }) => {
      expect(detect(wire) === undefined).toBe(fault === undefined);
    }),
    { numRuns: runs(300) },
  );
});

it("outcomes cover success and every form of failure", () => {
  const drawn = fc.sample(any.outcome(), { numRuns: isNightly ? 400 : 100, seed: 1 });
  const forms = drawn.map(({ wire, fault }) => {
    if (fault === undefined) return "success";
    return "isError" in wire ? "result" : "status" in wire ? "reply" : "error";
  });
  for (const form of ["success", "result", "error", "reply"])
    expect(forms.filter((drawnForm) => drawnForm === form).length, form).toBeGreaterThan(drawn.length / 10);
});
