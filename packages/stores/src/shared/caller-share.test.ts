import { describe, expect, it } from "vitest";
import { callerShare } from "./caller-share.ts";

function shareOf(max: number, ttlMs = 1_000) {
  let time = 0;
  const share = callerShare({ max, ttlMs, now: () => time });
  return { ...share, pass: (ms: number) => (time += ms) };
}

describe("the share of a caller", () => {
  it("is used up, and comes back at the pace at which keys are forgotten", () => {
    const { take, pass } = shareOf(2);
    expect([take("ann"), take("ann"), take("ann")]).toEqual([0, 0, 500]);
    pass(499);
    expect(take("ann")).toBe(1);
    pass(1);
    expect([take("ann"), take("ann")]).toEqual([0, 500]);
  });

  it("belongs to one caller", () => {
    const { take } = shareOf(1);
    expect([take("ann"), take("bob"), take("ann")]).toEqual([0, 0, 1_000]);
  });

  it("has room again for what is given back, and never more than all of it", () => {
    const { take, giveBack } = shareOf(1);
    take("ann");
    giveBack("ann");
    giveBack("ann");
    giveBack("bob");
    expect([take("ann"), take("ann"), take("bob")]).toEqual([0, 1_000, 0]);
  });

  it("may have no limit", () => {
    const { take } = shareOf(Number.POSITIVE_INFINITY);
    expect(Array.from({ length: 100 }, () => take("ann"))).toEqual(Array.from({ length: 100 }, () => 0));
  });

  it("is remembered only while some of it is used", () => {
    const { take, pass } = shareOf(1);
    for (let caller = 0; caller < 9_999; caller++) take(`caller ${caller}`);
    pass(1_000);
    expect(take("the one at which is looked")).toBe(0);
    expect(take("caller 1")).toBe(0);
  });
});
