import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../faults/test/runs.ts";
import { canonicalJson } from "./canonical-json.ts";

it.each([
  ['{"b":1,"a":2}', '{"a":2,"b":1}'],
  [' { "a" : [ 1 , { "y":true, "x":null } ] } ', '{"a":[1,{"x":null,"y":true}]}'],
  ['{"n":12345678901234567890,"f":1e400,"z":1.10,"m":-0}', '{"f":1e400,"m":-0,"n":12345678901234567890,"z":1.10}'],
  ['{"\\u0061":"\\u0041\\/é"}', '{"a":"A/é"}'],
  ['{"a":1,"a":2}', '{"a":2}'],
  ['{"a":{"x":1e999},"a":1e1}', '{"a":1e1}'],
  ['{"__proto__":1e2,"constructor":{"__proto__":[]}}', '{"__proto__":1e2,"constructor":{"__proto__":[]}}'],
  ['{"10":1,"9":2,"a":3,"B":4}', '{"10":1,"9":2,"B":4,"a":3}'],
  ['{"s":"\\ud800"}', '{"s":"\\ud800"}'],
  ["[]", "[]"],
  ["{}", "{}"],
  ["1E+2", "1E+2"],
])("%s becomes %s", (text, canonical) => {
  expect(canonicalJson(text)).toBe(canonical);
});

it("says the same as the text, and is the same for every order of members", () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      const canonical = canonicalJson(text);
      expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
      expect(canonicalJson(JSON.stringify(shuffled(JSON.parse(text)), undefined, 2))).toBe(canonical);
      expect(canonicalJson(canonical)).toBe(canonical);
    }),
    { numRuns: runs(500) },
  );
});
