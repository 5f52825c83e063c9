import { expect, it } from "vitest";
import { modelOutputOf } from "./ai-content.ts";

const text = (value: string) => ({ type: "text", text: value });
const png = { type: "image", mimeType: "image/png", data: "AAAA" };
const pngPart = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } };

it.each<[string, unknown, unknown]>([
  ["text blocks, one a line", { content: [text("a"), text("b")] }, { type: "text", value: "a\nb" }],
  [
    "the text of a resource",
    { content: [{ type: "resource", resource: { uri: "r:1", text: "inside" } }] },
    { type: "text", value: "inside" },
  ],
  ["an image as a file", { content: [text("see"), png] }, { type: "content", value: [text("see"), pngPart] }],
  [
    "the bytes of a resource as a file",
    { content: [{ type: "resource", resource: { uri: "r:1", mimeType: "application/pdf", blob: "BBBB" } }] },
    {
      type: "content",
      value: [{ type: "file", mediaType: "application/pdf", data: { type: "data", data: "BBBB" } }],
    },
  ],
  [
    "a link by its address",
    { content: [{ type: "resource_link", uri: "r:1" }] },
    { type: "text", value: "[resource_link r:1]" },
  ],
  [
    "structured content as JSON",
    { content: [text('{"n":1}')], structuredContent: { n: 1 } },
    { type: "json", value: { n: 1 } },
  ],
  ["structured content alone", { structuredContent: { n: 1 } }, { type: "json", value: { n: 1 } }],
  [
    "structured content beside a text of its own",
    { content: [text("one")], structuredContent: { n: 1 } },
    { type: "text", value: 'one\n{"n":1}' },
  ],
  [
    "an image beside structured content",
    { content: [png], structuredContent: { n: 1 } },
    { type: "content", value: [pngPart, text('{"n":1}')] },
  ],
  ["nothing", { content: [] }, { type: "text", value: "" }],
  ["no result at all", undefined, { type: "text", value: "" }],
])("%s", (_, result, output) => {
  expect(modelOutputOf(result)).toEqual(output);
});
