import { describe, expect, test } from "vitest";
import { STDIO_MISBEHAVIOURS } from "../stdio/misbehaviours.ts";
import { BODIES, type Body } from "./bodies.ts";
import { MISBEHAVIOURS } from "./misbehaviours.ts";
import { SECRET } from "./replays.ts";

const HONEST = {
  jsonrpc: "2.0",
  id: 7,
  result: { resultType: "complete", content: [{ type: "text", text: "Done." }] },
};

describe.each(Object.entries({ ...MISBEHAVIOURS, ...STDIO_MISBEHAVIOURS }))("%s", (name, { about, commits }) => {
  test("has a name and a sentence, and says whether the call was carried out", () => {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(about).toMatch(/^(?=.{10,120}$)[A-Z0-9].*\.$/);
    if (/^(?:lost|slow|stalled)-/.test(name)) expect(commits).toBe(true);
    if (/^(?:dropped|redirect|\d{3})-/.test(name)) expect(commits).toBe(false);
  });
});

test.each(Object.entries<Body>(BODIES))("%s is not the honest reply", (_, { of }) => {
  expect(Buffer.from(of(HONEST)).equals(Buffer.from(JSON.stringify(HONEST)))).toBe(false);
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
] as const)("%s on the wire", (name, wire) => {
  expect(BODIES[name].of(HONEST)).toBe(wire);
});

test("the secret of the replays looks like one", () => {
  expect(SECRET).toMatch(/^postgres:\/\/.+:.+@/);
});
