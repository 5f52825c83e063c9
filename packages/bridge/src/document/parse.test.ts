import { expect, it } from "vitest";
import { parseText, toPlainData } from "./parse.ts";

const code = (text: string) => {
  const parsed = parseText(text);
  return parsed.ok ? "ok" : parsed.problem.code;
};

it.each([
  ["JSON", '{ "paths": { "/a": { "x": [1, true, null] } } }'],
  ["YAML", "paths:\n  /a:\n    x: [1, true, null]\n"],
  ["YAML in braces, with a comment", "{ paths: { /a: { x: [1, true, null] } } } # all"],
])("reads %s", (_, text) => {
  expect(parseText(text)).toEqual({ ok: true, value: { paths: { "/a": { x: [1, true, null] } } } });
});

it("reads keys as text, and yes and no as text", () => {
  const text = "responses:\n  200: no\n  404: 2024-01-01\n";
  expect(parseText(text)).toEqual({ ok: true, value: { responses: { 200: "no", 404: "2024-01-01" } } });
});

it.each([
  "a: !!js/function 'function () {}'\n",
  "a: !include /etc/passwd\n",
  "a: !!binary aGk=\n",
  "%YAML 1.1\n---\na: !!timestamp 2024-01-01\n",
  "a: !<tag:example.org,2026:x> 1\n",
])("refuses the tag in %j", (text) => {
  expect(code(text)).toBe("custom_tag");
});

it("refuses a repeated key", () => {
  expect(code("paths:\n  /a: 1\n  /a: 2\n")).toBe("ambiguous");
});

it("refuses aliases that multiply", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  expect(code(`${lines.join("\n")}\n`)).toBe("aliases");
});

it("accepts a few aliases", () => {
  expect(parseText("a: &x { b: 1 }\nc: *x\n")).toEqual({ ok: true, value: { a: { b: 1 }, c: { b: 1 } } });
});

it.each([
  ["text that is no YAML", "a: [1\nb: }\n"],
  ["two documents", "a: 1\n---\nb: 2\n"],
  ["an alias of nothing", "a: *nothing\n"],
])("refuses %s", (_, text) => {
  expect(["malformed", "aliases"]).toContain(code(text));
});

it("survives endless nesting", () => {
  expect(["too_deep", "malformed"]).toContain(code(`a: ${"[".repeat(20_000)}`));
});

it("reads a mapping with many keys quickly", () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `k${index}: ${index}`).join("\n");
  const parsed = parseText(text);
  expect(parsed.ok && Object.keys(parsed.value as object).length).toBe(5_000);
});

it("copies JSON unchanged", () => {
  const value = { a: [1, "x", null, true, { b: {} }], c: "" };
  expect(toPlainData(value)).toEqual({ ok: true, value });
});

it("leaves out __proto__ and values that JSON does not have", () => {
  const value: unknown = JSON.parse('{ "__proto__": { "evil": 1 }, "a": { "__proto__": 2, "b": 1 } }');
  const more = { date: new Date(0), big: 1n, call: () => 1, not: Number.NaN, list: [Symbol("x"), 2], at: new Map() };
  expect(toPlainData({ value, ...more })).toEqual({ ok: true, value: { value: { a: { b: 1 } }, list: [null, 2] } });
});

it("refuses an object that is nested too deeply", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200; level++) deep = [deep];
  expect(toPlainData(deep)).toMatchObject({ ok: false, problem: { code: "too_deep" } });
});

it("refuses an object that contains itself", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  expect(toPlainData(loop)).toMatchObject({ ok: false, problem: { code: "too_deep" } });
});

it("counts shared objects each time, so that they cannot multiply", () => {
  let shared: unknown = ["x"];
  for (let level = 0; level < 60; level++) shared = [shared, shared];
  expect(toPlainData(shared)).toMatchObject({ ok: false, problem: { code: "too_large" } });
});
