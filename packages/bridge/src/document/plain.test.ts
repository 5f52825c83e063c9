import { expect, it } from "vitest";
import { toPlain } from "./plain.ts";

it("copies JSON as it is", () => {
  const value = { a: [1, "x", null, true, { b: {} }], c: "" };
  expect(toPlain(value)).toEqual({ ok: true, value });
});

it("leaves out what JSON cannot hold, and __proto__", () => {
  const value: unknown = JSON.parse('{ "__proto__": { "evil": 1 }, "a": { "__proto__": 2, "b": 1 } }');
  const more = { date: new Date(0), big: 1n, call: () => 1, not: Number.NaN, list: [Symbol("x"), 2], at: new Map() };
  expect(toPlain({ value, ...more })).toEqual({ ok: true, value: { value: { a: { b: 1 } }, list: [null, 2] } });
});

it("refuses what is too deep", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200; level++) deep = [deep];
  expect(toPlain(deep)).toMatchObject({ ok: false, problem: { code: "too_deep" } });
});

it("refuses what contains itself", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  expect(toPlain(loop)).toMatchObject({ ok: false, problem: { code: "too_deep" } });
});

it("counts shared objects each time, so that they cannot multiply", () => {
  let shared: unknown = ["x"];
  for (let level = 0; level < 60; level++) shared = [shared, shared];
  expect(toPlain(shared)).toMatchObject({ ok: false, problem: { code: "too_large" } });
});
