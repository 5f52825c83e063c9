import { describe, expect, it } from "vitest";
import { Lease } from "./leases.ts";

const lease = () => new Lease({ id: "b", group: "g", perSecond: 10, burst: 100 }, "key");
const seen = (perSecond: number, one = lease(), cost = 1) => {
  for (let ms = 0; ms < 2_000; ms += 1_000 / perSecond) one.see(ms, cost);
  return one;
};

describe("how many tokens are leased", () => {
  it.each([
    [10, 0],
    [30, 0],
    [100, 5],
    [1_000, 50],
  ])("at %d calls in a second: %d", (perSecond, ahead) => {
    expect(Math.abs(seen(perSecond).ahead(1) - ahead)).toBeLessThanOrEqual(1);
  });

  it("is never more than the burst, and none for a few calls at once", () => {
    expect(seen(10_000).ahead(1)).toBe(100);
    const one = lease();
    for (let index = 0; index < 6; index++) one.see(1, 1);
    expect(one.ahead(1)).toBe(0);
  });

  it("is none where a call takes most of it", () => {
    expect(seen(100).ahead(10)).toBe(0);
    expect(seen(100, lease(), 10).ahead(10)).toBeGreaterThanOrEqual(20);
  });
});

describe("a refusal", () => {
  it("holds for its time, for the same cost and for higher ones", () => {
    const one = lease();
    one.refuse({ now: 1_000, cost: 4, waitMs: 200, leased: false });
    expect(one.refusedFor(1_050, 4)).toBe(150);
    expect(one.refusedFor(1_050, 5)).toBe(250);
    expect(one.refusedFor(1_050, 3)).toBe(0);
    expect(one.refusedFor(1_200, 4)).toBe(0);
  });

  it("holds for 10 ms at least where tokens are leased", () => {
    const one = lease();
    one.refuse({ now: 1_000, cost: 1, waitMs: 1, leased: true });
    expect(one.refusedFor(1_009, 1)).toBe(1);
    expect(one.refusedFor(1_010, 1)).toBe(0);
  });
});

it("a lease that is not used is forgotten only when nothing is lost by it", () => {
  const one = lease();
  one.see(0, 1);
  one.refuse({ now: 0, cost: 1, waitMs: 20_000, leased: false });
  expect(one.isIdle(15_000, 10_000)).toBe(false);
  expect(one.isIdle(20_000, 10_000)).toBe(true);
  expect(one.isIdle(5_000, 10_000)).toBe(false);
});
