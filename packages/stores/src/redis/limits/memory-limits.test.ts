import { describe, expect, it } from "vitest";
import { memoryLimits } from "./memory-limits.ts";
import { redisLimits } from "./redis-limits.ts";

const bucket = { id: "b", group: "g", perSecond: 10, burst: 5 };
const claim = { bucket, cost: 1 };

function clocked() {
  let ms = 0;
  const limits = memoryLimits({ testing: { clock: { monotonic: () => ms } } });
  const passes = (count: number, cost = 1) => {
    let passed = 0;
    for (let index = 0; index < count; index++) {
      const answer = limits.take([{ bucket, cost }]);
      if (!(answer instanceof Promise) && answer.ok) passed += 1;
    }
    return passed;
  };
  return { limits, passes, wait: (more: number) => (ms += more) };
}

describe("limits in memory", () => {
  it("give the burst, then what grows", () => {
    const { limits, passes, wait } = clocked();
    expect(passes(9)).toBe(5);
    expect(limits.take([claim])).toMatchObject({
      ok: false,
      away: false,
      waitMs: 100,
      short: [{ bucket, waitMs: 100 }],
    });
    wait(250);
    expect(passes(9)).toBe(2);
    wait(60_000);
    expect(passes(9)).toBe(5);
  });

  it("take of all buckets or of none", () => {
    const { limits, passes } = clocked();
    const narrow = { bucket: { id: "n", group: "other", perSecond: 1, burst: 1 }, cost: 1 };
    expect([1, 2, 3].map(() => limits.take([claim, narrow]))).toMatchObject([
      { ok: true },
      { ok: false },
      { ok: false },
    ]);
    expect(passes(9)).toBe(4);
  });

  it("never let a token that is given back exceed the burst", () => {
    for (const waitMs of [0, 40, 100, 5_000]) {
      const { limits, passes, wait } = clocked();
      const taken = limits.take([claim]);
      if (taken instanceof Promise || !taken.ok) throw new Error("refused");
      wait(waitMs);
      // Drained in between: the token that comes back is one too many if another has grown in its place.
      const drained = passes(9);
      taken.giveBack();
      taken.giveBack();
      expect(drained + passes(9)).toBe(5);
    }
  });

  it("forget buckets that are full again", () => {
    const { limits, wait } = clocked();
    for (let name = 0; name < 100; name++) void limits.take([{ bucket: { ...bucket, id: `b${name}` }, cost: 5 }]);
    wait(10_000);
    expect(limits.take([{ bucket: { ...bucket, id: "b1" }, cost: 5 }])).toMatchObject({ ok: true });
    expect(limits.take([{ bucket: { ...bucket, id: "b1" }, cost: 1 }])).toMatchObject({ ok: false });
  });
});

it("limits in Redis refuse a time-out that no timer can wait for", () => {
  const client = { evalSha: () => Promise.reject(new Error()), eval: () => Promise.reject(new Error()) };
  expect(() => redisLimits({ client, timeoutMs: 0 })).toThrow("timeoutMs must be a number from 1 to");
});
