import { expect, test } from "vitest";
import { LineEnds } from "./exchange.ts";

/** The id that is found in a long line, whatever pieces it comes in. */
function idIn(text: string): number | undefined {
  const bytes = Buffer.from(text);
  const [whole, ...others] = [1, 100, 10_000].map((size) => {
    const ends = new LineEnds();
    for (let at = 0; at < bytes.length; at += size) ends.add(bytes.subarray(at, at + size));
    return ends.takeId();
  });
  for (const other of others) expect(other).toBe(whole);
  return whole;
}

const LONG = "x".repeat(5_000);

test("the id of a long response is found at either end", () => {
  expect(idIn(`{"jsonrpc":"2.0","id":7,"result":"${LONG}"}`)).toBe(7);
  expect(idIn(`{"result":"${LONG}","jsonrpc":"2.0","id":8}`)).toBe(8);
  expect(idIn(`{"jsonrpc":"2.0","result":"${LONG}","id":8}`)).toBeUndefined();
  expect(idIn(`{"jsonrpc":"2.0","method":"x","params":"${LONG}","id":8}`)).toBeUndefined();
  expect(idIn(LONG)).toBeUndefined();
});

test("the next line begins with nothing", () => {
  const ends = new LineEnds();
  ends.add(Buffer.from(`{"jsonrpc":"2.0","id":7,"result":"${LONG}"}`));
  expect(ends.takeId()).toBe(7);
  ends.add(Buffer.from(LONG));
  expect(ends.takeId()).toBeUndefined();
});
