import { expect, it } from "vitest";
import { textOf } from "./text.ts";

it.each<[string, unknown, string]>([
  [
    "text blocks, one a line",
    {
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    },
    "a\nb",
  ],
  ["the text of a resource", { content: [{ type: "resource", resource: { uri: "r:1", text: "inside" } }] }, "inside"],
  ["an image by its name", { content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] }, "[image image/png]"],
  ["a link by its address", { content: [{ type: "resource_link", uri: "r:1" }] }, "[resource_link r:1]"],
  ["data where there is no content", { content: [], structuredContent: { n: 1 } }, '{"n":1}'],
  ["content before data", { content: [{ type: "text", text: "one" }], structuredContent: { n: 1 } }, "one"],
  ["nothing", { content: [] }, ""],
  ["no result at all", undefined, ""],
])("%s", (_, result, text) => {
  expect(textOf(result)).toBe(text);
});
