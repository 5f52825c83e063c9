import { isObject } from "@recourse/core/wire";
import { describe, expect, it } from "vitest";
import { isCallerAnswer, readCallerAnswer } from "./read-caller-answer.ts";

const REVISION = "2025-11-25";

describe("a message is an answer", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":"a","result":{}}', REVISION, true],
    ['{"jsonrpc":"2.0","id":7,"error":{}}', REVISION, true],
    ['{"jsonrpc":"2.0","id":"a","result":{}}', "2026-07-28", false],
    ['{"jsonrpc":"2.0","id":"a","result":{}}', undefined, false],
    ['{"jsonrpc":"2.0","result":{}}', REVISION, false],
    ['{"jsonrpc":"2.0","id":"a"}', REVISION, false],
    ['{"jsonrpc":"2.0","id":"a","result":{},"error":{}}', REVISION, false],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","result":{}}', REVISION, false],
    ['{"jsonrpc":"1.0","id":"a","result":{}}', REVISION, false],
    ["[]", REVISION, false],
  ] as const)("%s in %s: %s", (text, revision, is) => {
    expect(isCallerAnswer(JSON.parse(text), revision)).toBe(is);
  });
});

describe("an answer is read", () => {
  const read = (text: string) => {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? readCallerAnswer(Buffer.from(text), parsed) : undefined;
  };

  it.each([
    ['{"jsonrpc":"2.0","id":"a.b","result": {"n":1e400} }', { id: "a.b", answer: { result: '{"n":1e400}' } }],
    [
      '{"error":{"code":-1,"message":"é"},"id":7,"jsonrpc":"2.0"}',
      { id: undefined, answer: { error: '{"code":-1,"message":"é"}' } },
    ],
    ['{"jsonrpc":"2.0","id":"a","result":[]}', { id: "a", answer: undefined }],
    ['{"jsonrpc":"2.0","id":"a","error":{"code":"x","message":"y"}}', { id: "a", answer: undefined }],
    ['{"jsonrpc":"2.0","id":"a","error":{"code":1.5,"message":"y"}}', { id: "a", answer: undefined }],
    ['{"jsonrpc":"2.0","id":"a","id":"b","result":{}}', "key"],
    ['{"jsonrpc":"2.0","id":"a","res\\u0075lt":{}}', "key"],
    [`{"jsonrpc":"2.0","id":"a","result":${'{"a":'.repeat(70)}1${"}".repeat(70)}}`, "depth"],
  ])("%.60s", (text, expected) => {
    const found = read(text);
    const shown = typeof found === "object" ? JSON.parse(JSON.stringify(found, toText)) : found;
    expect(shown).toEqual(typeof expected === "object" ? JSON.parse(JSON.stringify(expected)) : expected);
  });
});

/** Bytes as their text. */
function toText(_key: string, value: unknown): unknown {
  if (!isObject(value) || value["type"] !== "Buffer") return value;
  return Buffer.from(value["data"] as number[]).toString();
}
