import fc from "fast-check";
import { expect, it, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { detect } from "../../dialects/detect.ts";
import { generators } from "./generators.ts";
import type { Failure } from "./wires.ts";

const any = generators(fc);

const FAILURES = {
  isErrorResult: { arbitrary: any.isErrorResult(), dialects: ["mcp", "closient", "onx", "qaqnuz", "platica"] },
  jsonRpcError: { arbitrary: any.jsonRpcError(), dialects: ["mcp", "onx", "erlmcp", "platica"] },
  httpFailure: { arbitrary: any.httpFailure(), dialects: ["closient", "http"] },
};

for (const [name, { arbitrary, dialects }] of Object.entries(FAILURES)) {
  it(`${name} is JSON that is read as a failure, and as harmless only if it is`, () => {
    fc.assert(
      fc.property<[Failure<unknown>]>(arbitrary, ({ wire, fault }) => {
        expect(JSON.parse(JSON.stringify(wire))).toStrictEqual(wire);
        const read = detect(wire)?.fault;
        expect(read).toBeDefined();
        // That nothing happened may be forgotten on the way, never made up.
        if (fault.effect !== "none") expect(read?.effect).not.toBe("none");
      }),
      { numRuns: runs(300) },
    );
  });

  it(`${name} comes in every dialect that has the form`, () => {
    const drawn = fc.sample<Failure<unknown>>(arbitrary, { numRuns: 600, seed: 1 });
    expect(new Set(drawn.map(({ dialect }) => dialect))).toEqual(new Set(dialects));
  });
}

test("the forms are those of the protocols", () => {
  const numRuns = runs(200);
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
