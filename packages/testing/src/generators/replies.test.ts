import { readFault } from "@recourse/faults";
import * as dialects from "@recourse/faults/dialects";
import { detect } from "@recourse/faults/dialects";
import { isNightly, runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { generators } from "../generators.ts";
import { type GeneratedFailure, mutate } from "./replies.ts";

describe("replies", () => {
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
});

describe("garbage", () => {
  const any = generators(fc);

  describe("garbage", () => {
    const decoders = Object.values(dialects).flatMap((one) => ("decode" in one ? [one.decode] : []));
    const readers = [dialects.detect, readFault, ...decoders];

    it("is JSON, and no decoder throws on it", () => {
      fc.assert(
        fc.property(any.garbage(), (wire) => {
          expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
          for (const read of readers) expect(() => read(wire)).not.toThrow();
        }),
        { numRuns: runs(500) },
      );
    });

    it("is often decoded as a failure, and often not", () => {
      const drawn = fc.sample(any.garbage(), { numRuns: 200, seed: 1 });
      const failures = drawn.filter((wire) => dialects.detect(wire) !== undefined).length;
      expect(failures).toBeGreaterThan(40);
      expect(failures).toBeLessThan(160);
    });
  });

  describe("mutate", () => {
    const value = { a: 1, list: [true, { deep: "x" }], z: null };

    it.each([
      [0, { a: "!", list: [true, { deep: "x" }], z: null }],
      [1, { a: 1, list: "!", z: null }],
      [2, { a: 1, list: ["!", { deep: "x" }], z: null }],
      [4, { a: 1, list: [true, { deep: "!" }], z: null }],
      [5, { a: 1, list: [true, { deep: "x" }], z: "!" }],
      [6, value],
    ])("changes the member %i", (nth, expected) => {
      expect(mutate(value, nth, () => "!")).toEqual(expected);
    });

    it("removes a member of an object, and puts null into a list", () => {
      expect(mutate(value, 0, () => undefined)).toEqual({ list: [true, { deep: "x" }], z: null });
      expect(mutate(value, 2, () => undefined)).toEqual({ a: 1, list: [null, { deep: "x" }], z: null });
    });
  });
});
