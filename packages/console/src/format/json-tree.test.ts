import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonTree, readJsonTree } from "./json-tree.ts";

test("numbers stay as they were written, members in their order, also names that come twice", () => {
  expect(readJsonTree('{"b":1.10,"a":12345678901234567890,"b":[-0,1E+2,null]}')).toEqual({
    type: "object",
    entries: [
      ["b", { type: "plain", text: "1.10" }],
      ["a", { type: "plain", text: "12345678901234567890" }],
      [
        "b",
        {
          type: "array",
          items: [
            { type: "plain", text: "-0" },
            { type: "plain", text: "1E+2" },
            { type: "plain", text: "null" },
          ],
        },
      ],
    ],
  });
});

test("strings with quotes, brackets and escapes", () => {
  expect(readJsonTree('["a\\"]{,:", "\\u202e"]')).toEqual({
    type: "array",
    items: [
      { type: "string", value: 'a"]{,:' },
      { type: "string", value: "\u202e" },
    ],
  });
});

test("what is not JSON, or too deep, is no tree", () => {
  expect(readJsonTree("{a:1}")).toBeUndefined();
  expect(readJsonTree("")).toBeUndefined();
  expect(readJsonTree(`${"[".repeat(500)}${"]".repeat(500)}`)).toBeUndefined();
});

test("every JSON text is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(toValue(readJsonTree(text))).toEqual(JSON.parse(text));
    }),
  );
});

function toValue(tree: JsonTree | undefined): unknown {
  switch (tree?.type) {
    case "object":
      return Object.fromEntries(tree.entries.map(([name, value]) => [name, toValue(value)]));
    case "array":
      return tree.items.map(toValue);
    case "string":
      return tree.value;
    case "plain":
      return JSON.parse(tree.text);
    default:
      return undefined;
  }
}
