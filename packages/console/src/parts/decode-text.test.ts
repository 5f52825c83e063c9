import { expect, test } from "vitest";
import { decodePasted } from "./decode-text.ts";

const result = (text: string) => JSON.stringify({ isError: true, content: [{ type: "text", text }] });

test("a reply of a tool: kind, reason, effect, next moves, and what a model would read", () => {
  const decoded = decodePasted(result("Rate limit exceeded. Retry after 30 seconds."));
  expect(decoded).toMatchObject({ found: true, title: "Rate limit reached", effect: "possible" });
  expect(decoded.found && decoded.moves).toEqual([{ code: "refresh", words: "Check the state" }]);
  expect(decoded.found && Object.fromEntries(decoded.facts)).toMatchObject({
    Kind: "rate_limited",
    Reason: "core/rate_limited",
  });
  expect(decoded.found && decoded.modelReads).toContain("The rate limit is reached.");
});

test("a system is named", () => {
  const decoded = decodePasted('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}');
  expect(decoded.found && Object.fromEntries(decoded.facts)).toMatchObject({ System: "MCP", Code: "-32601" });
});

test("what would be left out is said, and is not shown", () => {
  const key = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
  const decoded = decodePasted(result(`Invalid API key ${key}`));
  expect(decoded.found && decoded.leftOut).toBe("The text shows a credential. A model would not read it.");
  expect(JSON.stringify(decoded)).not.toContain(key);
});

test.each([
  ["", "Nothing was pasted."],
  ['{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', "This is a success."],
  ["hello", "Nothing in this text is known. Paste the whole line, with its code and the lines above it."],
])("%j is no failure", (text, sentence) => {
  expect(decodePasted(text)).toEqual({ found: false, title: "No failure", sentence });
});

test("a megabyte is read in a bounded time", () => {
  const started = performance.now();
  expect(decodePasted("x ".repeat(500_000)).found).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});
