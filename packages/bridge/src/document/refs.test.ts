import { expect, it } from "vitest";
import type { Document } from "./document.ts";
import { resolvedObject, resolveRef } from "./refs.ts";

const document: Document = {
  version: "3.1",
  root: {
    paths: { "/a/{b}": { get: 1 } },
    components: {
      schemas: {
        one: { $ref: "#/components/schemas/two" },
        two: { type: "string" },
        "a~b c": { type: "null" },
        round: { $ref: "#/components/schemas/about" },
        about: { $ref: "#/components/schemas/round" },
        away: { $ref: "other.yaml#/x" },
      },
    },
    list: ["zero", { one: 1 }],
  },
};
const to = (ref: string) => resolveRef(document, { $ref: ref });

it("leaves nodes without a reference alone", () => {
  expect(resolveRef(document, { type: "x" })).toEqual({ ok: true, value: { type: "x" }, refs: [] });
  expect(resolveRef(document, 5)).toEqual({ ok: true, value: 5, refs: [] });
  expect(resolveRef(document, { $ref: 5 })).toEqual({ ok: true, value: { $ref: 5 }, refs: [] });
});

it("follows references, escapes and chains", () => {
  expect(to("#/paths/~1a~1%7Bb%7D/get")).toMatchObject({ ok: true, value: 1 });
  expect(to("#/components/schemas/a~0b%20c")).toMatchObject({ ok: true, value: { type: "null" } });
  expect(to("#/list/1/one")).toMatchObject({ ok: true, value: 1 });
  expect(to("#/components/schemas/one")).toEqual({
    ok: true,
    value: { type: "string" },
    refs: ["#/components/schemas/one", "#/components/schemas/two"],
  });
});

it.each([
  ["https://evil.example/x.json#/a", "external"],
  ["file:///etc/hostname", "external"],
  ["other.yaml", "external"],
  ["", "external"],
  ["#/components/schemas/away", "external"],
  ["#/components/schemas/none", "missing"],
  ["#anchor", "missing"],
  ["#", "missing"],
  ["#/constructor", "missing"],
  ["#/components/__proto__", "missing"],
  ["#/%zz", "missing"],
  ["#/components/schemas/round", "loop"],
])("does not follow %s: %s", (ref, code) => {
  expect(to(ref)).toEqual({ ok: false, code });
});

it("returns objects only", () => {
  expect(resolvedObject(document, { $ref: "#/components/schemas/two" })).toEqual({ type: "string" });
  expect(resolvedObject(document, { $ref: "#/list/0" })).toBeUndefined();
  expect(resolvedObject(document, { $ref: "elsewhere" })).toBeUndefined();
});
