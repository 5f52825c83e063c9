import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenBuckets } from "./limiter.ts";

test("a used-up quota says when the next call may be made, and fills evenly", () => {
  let now = 0;
  const limiter = tokenBuckets({ calls: 2, windowMs: 10_000, now: () => now });
  expect([limiter.take("a"), limiter.take("a"), limiter.take("a")]).toEqual([
    { ok: true },
    { ok: true },
    { ok: false, retryAfterMs: 5_000 },
  ]);
  expect(limiter.take("b")).toEqual({ ok: true });
  now = 4_000;
  expect(limiter.take("a")).toEqual({ ok: false, retryAfterMs: 1_000 });
  now = 5_000;
  expect(limiter.take("a")).toEqual({ ok: true });
  now = 1_000_000;
  expect([limiter.take("a").ok, limiter.take("a").ok, limiter.take("a").ok]).toEqual([true, true, false]);
});

test("only the callers with the latest calls are remembered", () => {
  const limiter = tokenBuckets({ calls: 1, windowMs: 1_000, now: () => 0, maxCallers: 2 });
  for (const share of ["a", "b", "c"]) limiter.take(share);
  expect(limiter.take("c").ok).toBe(false);
  expect(limiter.take("a").ok).toBe(true);
});

test("waiting for retryAfterMs is enough, and no caller exceeds the quota", () => {
  const calls = fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(calls, (waits) => {
      let now = 0;
      let given = 0;
      const limiter = tokenBuckets({ calls: 5, windowMs: 1_000, now: () => now });
      for (const wait of waits) {
        now += wait;
        const taken = limiter.take("a");
        if (taken.ok) given += 1;
        else {
          now += taken.retryAfterMs;
          expect(limiter.take("a").ok).toBe(true);
          given += 1;
        }
      }
      expect(given).toBeLessThanOrEqual(5 + (now / 1_000) * 5 + 0.001);
    }),
  );
});
