import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { argumentNames, type NameSource, toolNames } from "./names.ts";

const nameables = fc.uniqueArray(
  fc.record({
    id: fc.option(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 90 }),
        fc.constantFrom(
          ..."get Get list_all a/b a-b a_b".split(" "),
          "x".repeat(64),
          "x".repeat(80),
          `${"x".repeat(70)}y`,
        ),
      ),
      { nil: undefined },
    ),
    method: fc.constantFrom("GET", "POST"),
    path: fc.oneof(fc.constantFrom("/a", "/a/{b}", "/a/{c}", "/a-b"), fc.webPath()),
  }),
  { selector: ({ method, path }) => `${method} ${path}`, maxLength: 30 },
);

it("are unique ignoring case, short, and of allowed characters", () => {
  fc.assert(
    fc.property(nameables, fc.string({ maxLength: 40 }), (operations, prefix) => {
      const names = toolNames(operations, prefix);
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(operations.length);
    }),
    { numRuns: runs(500) },
  );
});

it("do not depend on the order", () => {
  const shuffled = nameables.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([operations, other]) => {
      const names = new Map(operations.map((one, index) => [one, toolNames(operations)[index]]));
      expect(toolNames(other)).toEqual(other.map((one) => names.get(one)));
    }),
    { numRuns: runs(300) },
  );
});

const one = (id: string | undefined, path = "/users/{id}/posts", method = "GET"): NameSource => ({ id, path, method });

it.each([
  ["the document's name", one("createClient"), "createClient"],
  ["one with odd characters", one("repos/get-content"), "repos_get-content"],
  ["method and path", one(undefined), "get_users_by_id_posts"],
  ["method and path where nothing is left of the name", one("创建"), "get_users_by_id_posts"],
  ["the root", one(undefined, "/"), "get"],
])("come from %s", (_, operation, name) => {
  expect(toolNames([operation])).toEqual([name]);
});

it("are cut together with their suffix", () => {
  const [name = ""] = toolNames([one("a".repeat(100))], "crm_");
  expect(name).toMatch(/^crm_a{51}_[0-9a-f]{8}$/);
});

it("of equal ids differ by a suffix from method and path", () => {
  const names = toolNames([one("save", "/a"), one("save", "/b"), one("Save", "/c"), one("other", "/d")]);
  expect(names.join(" ")).toMatch(/^(save_[0-9a-f]{8} ){2}Save_[0-9a-f]{8} other$/);
});

it("stay unique when a document uses a name that a suffix would make", () => {
  const [taken = ""] = toolNames([one("save", "/a"), one("save", "/b")]);
  const names = toolNames([one("save", "/a"), one("save", "/b"), one(taken, "/c")]);
  expect(new Set(names).size).toBe(3);
});

it.each([
  ["path id, query page", "id page"],
  ["path id, body id", "id__path id__body"],
  ["path id, query id, header ID, body name", "id__path id__query ID__header name"],
  ["query ids[]", "ids"],
  ["query filter[a][b]", "filter_a_b"],
  ["query __proto__", "proto"],
  ["query 名前", "value"],
  ["query $top", "top"],
])("names %s: %s", (places, names) => {
  const placed = places.split(", ").map((place) => ({ in: place.split(" ")[0] ?? "", key: place.split(" ")[1] ?? "" }));
  expect(argumentNames(placed).join(" ")).toBe(names);
});

it("of one part that would be the same differ by a suffix", () => {
  const [one, other] = argumentNames(["ids[]", "ids"].map((key) => ({ in: "query", key })));
  for (const name of [one, other]) expect(name).toMatch(/^ids__query_[0-9a-f]{16}$/);
  expect(one).not.toBe(other);
});

it("names a whole body argument body", () => {
  expect(argumentNames([{ in: "body", key: undefined }])).toEqual(["body"]);
  const both = ["body", "query"].map((place) => ({ in: place, key: place === "body" ? undefined : "body" }));
  expect(argumentNames(both)).toEqual(["body__body", "body__query"]);
});

it("are unique and acceptable to hosts, for any API", () => {
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
