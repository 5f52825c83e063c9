import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, test } from "vitest";
import { applyEdits, type JsonNode, positionAt, readJsonText } from "./json-text.ts";

const flawsOf = (text: string) =>
  readJsonText(text).flaws.map(({ kind, at, text: said }) => {
    const { line, column } = positionAt(text, at);
    return `${kind} ${line}:${column} ${said}`;
  });

test.for([
  ['{\n  "a": 1\n  "b": 2\n}', "wrong 2:9 A comma is missing after this member"],
  ['["x" "y"]', "wrong 1:5 A comma is missing after this item"],
  ['{"a": 1,}', 'relaxed 1:8 A comma stands before "}"'],
  ['{"a": 1,, "b": 2}', "wrong 1:9 There is one comma too many"],
  ['// x\n{"a": 1}', "relaxed 1:1 A comment stands here"],
  ['{"a": /* y */ 1}', "relaxed 1:7 A comment stands here"],
  ['{"a" "b"}', 'wrong 1:5 The ":" after "a" is missing'],
  ['{"a" = "b"}', 'wrong 1:6 A ":" is needed here instead of "="'],
  ["{a: 1}", "wrong 1:2 The name a has no quotation marks around it"],
  ["{'a': 1}", "wrong 1:2 Single quotation marks are not allowed"],
  ["{“a”: 1}", "wrong 1:2 Curly quotation marks are not allowed"],
  ['{"a": True}', "wrong 1:7 This value has no quotation marks around it"],
  ['{"a": {"b": 1}', 'wrong 1:15 The "}" that ends the "{" in line 1 is missing'],
  ['{"a": 1}}', 'wrong 1:9 There is one "}" too many'],
  [String.raw`{"a": "C:\Users\me"}`, String.raw`wrong 1:10 A backslash has to be written as \\ in JSON`],
  [
    String.raw`{"a": "C:\new\table"}`,
    String.raw`doubtful 1:7 The backslashes of this path are read as other characters; write \\`,
  ],
  ["\ufeff{}", "relaxed 1:1 The file begins with a byte order mark"],
] as const)("%s is a flaw with its place, and is corrected", ([text, flaw]) => {
  expect(flawsOf(text)).toEqual([flaw]);
  const edits = readJsonText(text).flaws.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  expect(() => JSON.parse(applyEdits(text, edits))).not.toThrow();
});

test.for([
  ['{"a": "b,\n "c": 1}', "wrong 1:7 The quotation mark that ends this text is missing"],
  ['{"a": [1}', 'wrong 1:9 "]" is needed here, and "}" stands here'],
  ["", "wrong 1:1 The file is empty"],
  ['{"a":}', 'wrong 1:6 A value is missing before "}"'],
] as const)("%s is a flaw that has no sure correction", ([text, flaw]) => {
  expect(flawsOf(text)[0]).toBe(flaw);
});

test("what JSON.parse reads is read alike, without a flaw", () => {
  const text = JSON.stringify({ a: [1, -2.5e3, true, null, "x\n\u00e9\\"], "b c": { d: {} }, e: [] }, undefined, 2);
  const plain = (node: JsonNode): unknown =>
    node.kind === "object"
      ? Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]))
      : node.kind === "array"
        ? node.items.map(plain)
        : node.value;
  const { root, flaws } = readJsonText(text);
  expect(flaws).toEqual([]);
  expect(root === undefined ? undefined : plain(root)).toEqual(JSON.parse(text));
});

test("a backslash is doubled once, and quotation marks stay", () => {
  const text = String.raw`{"a": "C:\Users\\me\\x"}`;
  const [flaw] = readJsonText(text).flaws;
  expect(flaw?.edit).toBeDefined();
  expect(JSON.parse(applyEdits(text, flaw?.edit === undefined ? [] : [flaw.edit]))).toEqual({
    a: String.raw`C:\Users\me\x`,
  });
});

test.each([
  ["[", ""],
  ['{"a":', ""],
  ["\\", '{"a": "'],
  ["/*", ""],
  ['"x" ', "["],
  ["a", "{"],
])("%j again and again costs ten times as much if it is ten times as long", async (piece, before) => {
  const read = (chars: number) => () =>
    expect(readJsonText(before + piece.repeat(chars / piece.length)).flaws).not.toEqual([]);
  await expectCost({ work: read(200_000), yardstick: read(20_000), atMost: 40 });
});
