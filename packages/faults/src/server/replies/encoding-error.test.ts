import { expect, it } from "vitest";
import { encodingErrorOf } from "./encoding-error.ts";

const cycle: Record<string, unknown> = {};
cycle["itself"] = cycle;

it.each([
  ["structured content", { content: [], structuredContent: { n: 1n } }],
  ["_meta", { content: [], _meta: { cycle } }],
  ["the _meta of a block", { content: [{ type: "text", text: "x", _meta: { n: 1n } }] }],
  [
    "a block after others",
    {
      content: [
        { type: "text", text: "x" },
        { type: "resource", resource: cycle },
      ],
    },
  ],
  ["content that is no list", { content: 1n }],
  ["a block that is none", { content: [1n] }],
  ["any other member", { content: [], more: 1n }],
  ["the result of another method", { contents: [{ uri: "res://a", n: 1n }] }],
])("finds what JSON cannot say in %s", (_where, result) => {
  expect(encodingErrorOf({ jsonrpc: "2.0", id: 1, result })).toBeInstanceOf(TypeError);
});

it("lets everything else pass", () => {
  const content = [
    { type: "text", text: "x", annotations: { priority: 1 } },
    { type: "image", data: "aGk=", mimeType: "a/b" },
  ];
  expect(encodingErrorOf({ result: { content, structuredContent: { n: 1 }, _meta: { a: null } } })).toBeUndefined();
  for (const result of [null, undefined, "x", { tools: [] }]) expect(encodingErrorOf({ result })).toBeUndefined();
  expect(encodingErrorOf({ method: "x", params: { n: 1n } })).toBeUndefined();
});

it("does not look at the texts of content", () => {
  const block = { type: "text", text: "x", toJSON: () => expect.unreachable() };
  Object.defineProperty(block, "toJSON", { enumerable: false });
  expect(encodingErrorOf({ result: { content: [block] } })).toBeUndefined();
});
