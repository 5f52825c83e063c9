import { expect, test } from "vitest";
import { AddressLimit } from "./address-limit.ts";

function limitOf(rate: { perSecond: number; burst: number }, maxAddresses?: number) {
  const clock = { ms: 0 };
  return { clock, limit: new AddressLimit(rate, () => clock.ms, maxAddresses) };
}

test("an address has its burst, then its rate, and the wait is true", () => {
  const { limit, clock } = limitOf({ perSecond: 10, burst: 2 });
  expect([limit.take("a"), limit.take("a")]).toEqual([undefined, undefined]);
  expect(limit.take("a")?.retry).toEqual({ allowed: true, afterMs: 100 });
  clock.ms = 40;
  expect(limit.take("a")?.retry).toEqual({ allowed: true, afterMs: 60 });
  clock.ms = 100;
  expect(limit.take("a")).toBeUndefined();
  expect(limit.take("a")?.kind).toBe("rate_limited");
  expect(limit.take("b")).toBeUndefined();
});

test("parts of one address count apart, and those of another address too", () => {
  const { limit } = limitOf({ perSecond: 10, burst: 1 });
  expect([limit.take("a", "x"), limit.take("a", "y"), limit.take("b", "x"), limit.take("a")]).toEqual(
    Array(4).fill(undefined),
  );
  expect(limit.take("a", "x")?.kind).toBe("rate_limited");
});

test("refused calls do not make the wait longer", () => {
  const { limit, clock } = limitOf({ perSecond: 1, burst: 1 });
  limit.take("a");
  for (; clock.ms < 1_000; clock.ms += 100) expect(limit.take("a")).toBeDefined();
  expect(limit.take("a")).toBeUndefined();
});

test("only so many addresses are remembered, and the one that called least recently is forgotten", () => {
  const { limit } = limitOf({ perSecond: 1, burst: 1 }, 3);
  for (const address of ["a", "b", "c", "a", "d"]) limit.take(address);
  expect(limit.size).toBe(3);
  expect(limit.take("a")).toBeDefined();
  expect(limit.take("b")).toBeUndefined();
});

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::7", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["::1", "::2", true],
  ["10.0.0.1", "10.0.0.2", false],
])("%s and %s count together: %s", (one, other, together) => {
  const { limit } = limitOf({ perSecond: 1, burst: 1 });
  limit.take(one);
  expect(limit.take(other) !== undefined).toBe(together);
});
