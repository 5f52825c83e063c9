import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, test } from "vitest";
import { type DecodedFailure, decodePasted } from "./decode-text.ts";
import { EXAMPLE_TEXTS } from "./examples.ts";

const result = (text: string) => JSON.stringify({ isError: true, content: [{ type: "text", text }] });

function decodeFailure(text: string): DecodedFailure {
  const decoded = decodePasted(text);
  if (!decoded.found) throw new Error(`No failure in ${text}`);
  return decoded;
}

test("a reply of a tool: kind, reason, effect, next moves, and what a model would read", () => {
  const decoded = decodeFailure(result("Rate limit exceeded. Retry after 30 seconds."));
  expect(decoded).toMatchObject({
    effect: "possible",
    kind: "rate_limited",
    reason: "core/rate_limited",
    isDocumented: true,
    moves: [{ code: "refresh", words: "Check the state after 30 s" }],
    sentParts: [{ text: "Rate limit exceeded. Retry after 30 seconds." }],
    leftOut: [],
    marks: [],
  });
  expect(decoded.modelReads).toContain("The rate limit is reached.");
  expect(decoded.repeat).not.toBe("");
  expect(decoded.remedies.length).toBeGreaterThan(0);
});

test("a system is named", () => {
  const decoded = decodeFailure('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}');
  expect(decoded.system).toBe("MCP");
  expect(Object.fromEntries(decoded.facts)).toMatchObject({ Code: "-32601" });
});

test("what would be left out is named and marked in the text, and is not shown", () => {
  const key = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
  const text = `{\n"isError":true,\n"content":[{"type":"text","text":"Invalid API key ${key} for \\"shop\\""}]}`;
  const decoded = decodeFailure(text);
  expect(decoded.leftOut).toContain("a credential");
  expect(JSON.stringify(decoded)).not.toContain(key);
  const [mark] = decoded.marks;
  expect(mark).toMatchObject({ line: 3 });
  expect(text.slice(mark?.start, mark?.end)).toContain(key);
  expect(decoded.sentParts).toEqual([
    { text: expect.stringContaining("Invalid") },
    { leaks: expect.arrayContaining(["a credential"]), length: expect.any(Number) },
    { text: expect.stringContaining('"shop"') },
  ]);
});

test.each([
  ["a raw HTTP reply", 'HTTP/1.1 503 Service Unavailable\r\nx-at: /srv/app\r\n\r\n{"error":"at 10.0.0.5"}'],
  [
    "an event stream",
    'event: message\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"at 10.0.0.5"}}\n',
  ],
  ["a recorded reply", '{"status":503,"headers":{},"body":"{\\"error\\":\\"at 10.0.0.5\\"}"}'],
])("of %s only the message counts", (_form, text) => {
  const decoded = decodeFailure(text);
  expect(decoded.leftOut).toEqual(["a host of the inner network"]);
  expect(decoded.marks.map(({ start, end }) => text.slice(start, end)).join()).toContain("10.0.0.5");
});

test("every example is a failure", () => {
  for (const text of Object.values(EXAMPLE_TEXTS)) expect(decodePasted(text)).toMatchObject({ found: true });
  expect(decodeFailure(EXAMPLE_TEXTS.isError).leftOut).toContain("a credential");
});

test.each([
  ["", "Nothing to read", "Nothing was pasted."],
  ['{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', "No failure", "This is a success."],
  [
    "hello",
    "Not recognised",
    "Nothing in this text is known. Paste the whole line, with its code and the lines above it.",
  ],
])("%j is not read as a failure", (text, title, sentence) => {
  expect(decodePasted(text)).toEqual({ found: false, title, sentence });
});

test.each([
  ["words", "x ".repeat(500_000)],
  [
    "a failure and much that is left out",
    `Error: connect ECONNREFUSED 10.0.0.5\n${"at a (/srv/app/a.js:1:2) ".repeat(39_000)}`,
  ],
  ["JSON in JSON", `{"status":500,"body":${'{"status":500,"body":'.repeat(9_000)}1${"}".repeat(9_001)}`],
])("a megabyte of %s is read in a bounded time", async (_what, text) => {
  await expectCost({
    work: () => decodePasted(text),
    yardstick: () => JSON.parse(JSON.stringify(text)),
    atMost: 250,
  });
});
