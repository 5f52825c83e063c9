import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, it } from "vitest";
import { MessageOutline } from "./message-outline.ts";

function idOf(text: string, pieceLength = text.length): string | number | undefined {
  const outline = new MessageOutline();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceLength) outline.take(bytes.subarray(at, at + pieceLength));
  return outline.callId;
}

const call = (id: unknown, args: unknown = {}) =>
  JSON.stringify({ method: "tools/call", params: { name: "a", arguments: args, id: 3 }, jsonrpc: "2.0", id });

it.each([1, 3, 7, 10_000])("finds the id of a call in pieces of %i bytes", (length) => {
  expect(idOf(call(7, { text: 'a "quoted" \\\\ } ] text, "id": 9' }), length)).toBe(7);
  expect(idOf(call('x"\\ä', [[{ id: 1 }]]), length)).toBe('x"\\ä');
  expect(idOf('{ "id" : 5 , "method" : "tools/call" , "params" : { "a" : [ ] } }', length)).toBe(5);
});

it.each([
  ["another method", '{"id":1,"method":"tools/list"}'],
  ["a notification", '{"method":"tools/call"}'],
  ["an id that is none", '{"id":{"a":1},"method":"tools/call"}'],
  ["an id that is no whole number", '{"id":1.5,"method":"tools/call"}'],
  ["an id that is repeated", '{"id":1,"id":2,"method":"tools/call"}'],
  ["a long id", JSON.stringify({ id: "x".repeat(300), method: "tools/call" })],
  ["a part of a message", '{"id":1,"method":"tools/call","params":{"a":'],
  ["no message", "nothing at all"],
  ["two messages", '{"id":1,"method":"tools/call"} {}'],
  ["a batch", '[{"id":1,"method":"tools/call"}]'],
  ["a message with very many members", `{${'"a":1,'.repeat(100)}"id":1,"method":"tools/call"}`],
])("finds none in %s", (_, text) => {
  expect(idOf(text)).toBeUndefined();
});

it("knows the id of any message", () => {
  const outline = new MessageOutline();
  outline.take(new TextEncoder().encode('{"id":"a","method":"tools/list","params":{}}'));
  expect([outline.id, outline.callId]).toEqual(["a", undefined]);
});

it.each([
  ["values of a batch", "[", "1,"],
  ["members", "{", '"a":1,'],
  ["colons", "{", ":"],
  ["brackets", '{"a":', "["],
])("takes little time for a megabyte of %s", async (_, start, part) => {
  const bytes = new TextEncoder().encode(start + part.repeat(2 ** 20 / part.length));
  const takeAll = () => {
    const outline = new MessageOutline();
    outline.take(bytes);
    expect(outline.id).toBeUndefined();
  };
  const sum = () => bytes.reduce((total, byte) => total + byte, 0);
  await expectCost({ work: takeAll, yardstick: sum, atMost: 20 });
});
