import { describe, expect, test } from "vitest";
import { MISBEHAVIOURS } from "./http.ts";
import { MALFORMED_REPLIES, type MalformedReply, SECRET } from "./replies.ts";
import { STDIO_MISBEHAVIOURS } from "./stdio.ts";

const REPLY = {
  jsonrpc: "2.0",
  id: 7,
  result: { resultType: "complete", content: [{ type: "text", text: "Done." }] },
};

describe.each(Object.entries({ ...MISBEHAVIOURS, ...STDIO_MISBEHAVIOURS }))("%s", (name, { description, commits }) => {
  test("has a name and a description, and says whether the call was carried out", () => {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(description).toMatch(/^(?=.{10,120}$)[A-Z0-9].*\.$/);
    if (/^(?:lost|slow|stalled)-/.test(name)) expect(commits).toBe(true);
    if (/^(?:dropped|redirect|\d{3})-/.test(name)) expect(commits).toBe(false);
  });
});

test.each(Object.entries<MalformedReply>(MALFORMED_REPLIES))("%s is not the correct reply", (_, { from }) => {
  expect(Buffer.from(from(REPLY)).equals(Buffer.from(JSON.stringify(REPLY)))).toBe(false);
});

test.each([
  [
    "wrong-id",
    '{"jsonrpc":"2.0","id":987654321,"result":{"resultType":"complete","content":[{"type":"text","text":"Done."}]}}',
  ],
  [
    "id-null",
    '{"jsonrpc":"2.0","id":null,"result":{"resultType":"complete","content":[{"type":"text","text":"Done."}]}}',
  ],
  ["error-text", '{"jsonrpc":"2.0","id":7,"error":"failed"}'],
  ["no-result-type", '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"Done."}]}}'],
] as const)("%s sends exactly these bytes", (name, wire) => {
  expect(MALFORMED_REPLIES[name].from(REPLY)).toBe(wire);
});

test("the secret in the recorded failures looks like a connection string", () => {
  expect(SECRET).toMatch(/^postgres:\/\/.+:.+@/);
});
