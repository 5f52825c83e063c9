import { runs } from "@recourse/test-kit/runs";
import { expectCost } from "@recourse/test-kit/yardstick";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, hasMoreValues } from "./canonical-json.ts";

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
  ['{"a!":1,"a":2,"a\\"":3,"a\\\\":4}', '{"a":2,"a!":1,"a\\"":3,"a\\\\":4}'],
  ['["\\\\","\\\\\\"","\\ud83d\\ude00"]', '["\\\\","\\\\\\"","😀"]'],
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

it.each([
  "",
  " ",
  "{",
  "[",
  "[1",
  "[1,]",
  "{,}",
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  "{a:1}",
  '"a',
  '"\\"',
  '"\\x"',
  '"\n"',
  "01",
  "1.",
  "-",
  "+1",
  ".5",
  "1e",
  "nul",
  "tru e",
  "[] []",
  "NaN",
  "\u00a01",
])("refuses %j, which is not JSON", (text) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  expect(() => canonicalJson(text)).toThrow();
});

/** The canonical text by way of the parser, for values whose numbers it keeps. */
function byParser(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(byParser).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${byParser(member)}`).join(",")}}`;
}

it("takes the same texts for JSON as the parser, and reads the same in them", () => {
  const marks = fc.constantFrom(...'{}[]:,"\\ \n\t0123456789-+.eEabftrnulsxé😀\ud800\u0001');
  const mutated = fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), marks);
  fc.assert(
    fc.property(mutated, ([text, at, length, mark]) => {
      const start = at % (text.length + 1);
      const changed = text.slice(0, start) + mark + text.slice(start + length);
      let parsed: unknown;
      try {
        parsed = JSON.parse(changed);
      } catch {
        expect(() => canonicalJson(changed)).toThrow();
        return;
      }
      const canonical = canonicalJson(changed);
      expect(byParser(JSON.parse(canonical))).toBe(byParser(parsed));
    }),
    { numRuns: runs(2_000) },
  );
});

it.each<[string, number, string]>([
  ["in one object", 20, `{${Array.from({ length: 50_000 }, (_, at) => `"k${(at * 7_919) % 50_000}":1`).join(",")}}`],
  ["in many objects", 60, `[${Array.from({ length: 25_000 }, () => '{"b":1,"a":2}').join(",")}]`],
  ["with the same name", 15, `{${Array.from({ length: 50_000 }, () => '"a":1').join(",")}}`],
])("reads 50,000 members %s for not much more than the parser takes", async (_, atMost, text) => {
  await expectCost({ work: () => canonicalJson(text), yardstick: () => JSON.parse(text), atMost });
});

it.each<[string, number]>([
  ["1", 0],
  ['"a,b{[\\","', 0],
  ['{"a,":",,,\\\\","b":[1,2]}', 4],
  ["[[],[],[1,[2,3]]]", 9],
])("counts the members and elements of %s", (text, count) => {
  expect(hasMoreValues(text, count)).toBe(false);
  expect(count === 0 || hasMoreValues(text, count - 1)).toBe(true);
});
