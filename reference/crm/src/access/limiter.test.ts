import { expect, test } from "vitest";
import { tokenBuckets } from "./limiter.ts";

test("a share is used up, and comes back evenly", () => {
  let now = 0;
  const limiter = tokenBuckets({ calls: 2, windowMs: 1_000, now: () => now });
  expect([limiter.take("a").ok, limiter.take("a").ok]).toEqual([true, true]);
  expect(limiter.take("a")).toEqual({ ok: false, retryAfterMs: 500 });
  now = 500;
  expect(limiter.take("a").ok).toBe(true);
  expect(limiter.take("a")).toEqual({ ok: false, retryAfterMs: 500 });
});

test("shares are apart, and only so many are remembered", () => {
  const limiter = tokenBuckets({ calls: 1, windowMs: 1_000, now: () => 0, maxShares: 2 });
  expect(["a", "b", "a", "c", "b"].map((share) => limiter.take(share).ok)).toEqual([true, true, false, true, true]);
});
