import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../faults/test/runs.ts";
import { argumentNames } from "./arguments.ts";

it.each([
  [
    ["path id", "query page"],
    ["id", "page"],
  ],
  [
    ["path id", "body id"],
    ["id__path", "id__body"],
  ],
  [
    ["path id", "query id", "header ID", "body name"],
    ["id__path", "id__query", "ID__header", "name"],
  ],
  [["query ids[]"], ["ids"]],
  [
    ["query ids[]", "query ids"],
    [expect.stringMatching(/^ids__query_[0-9a-f]{16}$/), expect.stringMatching(/^ids__query_[0-9a-f]{16}$/)],
  ],
  [["query filter[a][b]"], ["filter_a_b"]],
  [["query __proto__"], ["proto"]],
  [["query 名前"], ["value"]],
  [["query $top"], ["top"]],
])("names %j %j", (places, names) => {
  const placed = places.map((place) => ({ in: place.split(" ")[0] ?? "", key: place.slice(place.indexOf(" ") + 1) }));
  expect(argumentNames(placed)).toEqual(names);
});

it("calls the body as a whole body", () => {
  expect(argumentNames([{ in: "body", key: undefined }])).toEqual(["body"]);
  expect(
    argumentNames([
      { in: "body", key: undefined },
      { in: "query", key: "body" },
    ]),
  ).toEqual(["body__body", "body__query"]);
});

it("are unique and such that hosts take them, whatever the API has", () => {
  const placed = fc.uniqueArray(
    fc.record({
      in: fc.constantFrom("path", "query", "header", "cookie", "body"),
      key: fc.oneof(
        fc.string({ unit: "binary", maxLength: 100 }),
        fc.constantFrom("a", "a[]", "A", "a__query", "a ", "x".repeat(64)),
      ),
    }),
    { selector: (one) => `${one.in} ${one.key}`, maxLength: 20 },
  );
  fc.assert(
    fc.property(placed, (all) => {
      const names = argumentNames(all);
      for (const name of names) expect(name).toMatch(/^(?!__proto__$)[a-zA-Z0-9_.-]{1,64}$/);
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(all.length);
      expect(argumentNames(all.toReversed()).toReversed()).toEqual(names);
    }),
    { numRuns: runs(500) },
  );
});
