import { expect, it } from "vitest";
import { readResult, textOf } from "./tool-parts.ts";

const text = (value: string) => ({ type: "text", text: value });
const png = { type: "image", mimeType: "image/png", data: "AAAA" };
const pngPart = { type: "file", mediaType: "image/png", data: "AAAA" };

it.each<[string, unknown, readonly unknown[]]>([
  ["text and images in their order", { content: [text("a"), png, text("b")] }, [text("a"), pngPart, text("b")]],
  [
    "a sound as a file",
    { content: [{ type: "audio", mimeType: "audio/wav", data: "BB" }] },
    [{ type: "file", mediaType: "audio/wav", data: "BB" }],
  ],
  [
    "a file without a type",
    { content: [{ type: "resource", resource: { blob: "CC" } }] },
    [{ type: "file", mediaType: "application/octet-stream", data: "CC" }],
  ],
  [
    "a file whose type is no text",
    { content: [{ type: "resource", mimeType: { toString: 5 }, resource: { blob: "CC", mimeType: "text/x" } }] },
    [{ type: "file", mediaType: "text/x", data: "CC" }],
  ],
  ["structured content without any text", { content: [png], structuredContent: { n: 1 } }, [pngPart, text('{"n":1}')]],
  [
    "structured content that a text repeats in another order",
    {
      content: [text('{\n  "b": 2,\n  "a": 1\n}'), png],
      structuredContent: { a: 1, b: 2 },
    },
    [text('{\n  "b": 2,\n  "a": 1\n}'), pngPart],
  ],
  [
    "structured content beside a text of its own",
    { content: [text("Found one.")], structuredContent: { n: 1 } },
    [text("Found one."), text('{"n":1}')],
  ],
  ["a block that is none", { content: [null, {}] }, [text("[]"), text("[]")]],
  ["content that is none", { content: "text" }, []],
])("reads %s", (_, result, parts) => {
  expect(readResult(result).parts).toEqual(parts);
});

it("structured content that is nested too deeply for JSON is left out", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(readResult({ content: [text("a")], structuredContent: { deep } }).parts).toEqual([text("a")]);
});

it("a text names the files", () => {
  expect(textOf(readResult({ content: [text("See:"), png] }).parts)).toBe("See:\n[file image/png]");
});
