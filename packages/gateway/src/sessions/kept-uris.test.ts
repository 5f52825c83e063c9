import { expect, it } from "vitest";
import { KeptUris } from "./kept-uris.ts";

const long = (chars: number, at = 0) => `${at}`.padEnd(chars, "x");

it("keeps 1,000 resources of a session, with 131,072 characters in all", () => {
  const many = new KeptUris({ chars: 0 });
  for (let at = 0; at < 1_000; at++) expect(many.add(`doc://${at}`)).toBe(true);
  expect([many.add("doc://more"), many.add("doc://7"), many.size]).toEqual([false, true, 1_000]);
  const all = { chars: 0 };
  const large = new KeptUris(all);
  expect([large.add(long(131_072)), large.add("x"), large.has("x")]).toEqual([true, false, false]);
  large.delete(long(131_072));
  large.delete("never kept");
  expect([large.add("x"), [...large], all.chars]).toEqual([true, ["x"], 1]);
});

it("keeps 8,192 characters of each session where all of them have many", () => {
  const all = { chars: 0 };
  const greedy = Array.from({ length: 300 }, () => {
    const uris = new KeptUris(all);
    uris.add(long(131_072));
    return uris;
  });
  expect(all.chars).toBe(32 * 1_048_576);
  const late = new KeptUris(all);
  expect([late.add(long(8_193)), late.add(long(8_192)), late.add("x")]).toEqual([false, true, false]);
  for (const uris of greedy) uris.close();
  expect(late.add(long(8_193))).toBe(true);
  late.close();
  expect([all.chars, late.size, late.add("x")]).toEqual([0, 0, false]);
});
