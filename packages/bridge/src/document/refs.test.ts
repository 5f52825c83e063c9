import { expect, it } from "vitest";
import { type Document, resolvedObject, resolveRef } from "./document.ts";

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
  const refs = ["#/components/schemas/one", "#/components/schemas/two"];
  expect(to("#/components/schemas/one")).toEqual({ ok: true, value: { type: "string" }, refs });
});

it.each([
  [
    "external",
    ["https://evil.example/x.json#/a", "file:///etc/hostname", "other.yaml", "", "#/components/schemas/away"],
  ],
  ["missing", "#/components/schemas/none #anchor # #/constructor #/components/__proto__ #/%zz".split(" ")],
  ["loop", ["#/components/schemas/round"]],
])("does not follow what is %s", (code, refs) => {
  for (const ref of refs) expect(to(ref), ref).toEqual({ ok: false, code });
});

it("returns objects only", () => {
  expect(resolvedObject(document, { $ref: "#/components/schemas/two" })).toEqual({ type: "string" });
  expect(resolvedObject(document, { $ref: "#/list/0" })).toBeUndefined();
  expect(resolvedObject(document, { $ref: "elsewhere" })).toBeUndefined();
});
