import { describe, expect, it } from "vitest";
import { type CountedKeys, callerShare } from "./caller-share.ts";

function shareOf(max: number, windowMs = 1_000) {
  let time = 0;
  const share = callerShare({ max, windowMs, now: () => time });
  return { ...share, pass: (ms: number) => (time += ms) };
}

/** Processes that share a count. */
function processes(max: number) {
  let time = 0;
  const counted: { readonly at: number; readonly keys: number }[] = [];
  let asked = 0;
  const count = async (_owner: string, keys: number): Promise<CountedKeys[]> => {
    asked += 1;
    counted.push({ at: time, keys });
    return counted.map((one) => ({ ageMs: time - one.at, keys: one.keys }));
  };
  const process = () => callerShare({ max, windowMs: 1_000, count, now: () => time });
  return { process, asked: () => asked, pass: (ms: number) => (time += ms) };
}

describe("the share of a caller", () => {
  it("is used up, and comes back when what was used has left the window", () => {
    const { take, pass } = shareOf(2);
    expect([take("ann"), take("ann")]).toEqual([0, 0]);
    pass(500);
    expect(take("ann")).toBe(600);
    pass(599);
    expect(take("ann")).toBe(1);
    pass(1);
    expect(take("ann")).toBe(0);
  });

  it.each([1, 7, 100, 300])("lets no more than %i through in any window", (max) => {
    const { take, pass } = shareOf(max);
    const taken: number[] = [];
    for (let time = 0; time < 5_000; time += 5) {
      for (let n = 0; n < 20; n++) if (take("ann") === 0) taken.push(time);
      pass(5);
    }
    const most = taken.map((from) => taken.filter((at) => at >= from && at < from + 1_000).length);
    expect(Math.max(...most)).toBeLessThanOrEqual(max);
    expect(taken.length).toBeGreaterThanOrEqual(4 * max);
  });

  it("belongs to one caller", () => {
    const { take } = shareOf(1);
    expect([take("ann"), take("bob"), take("ann")]).toEqual([0, 0, 1_100]);
  });

  it("has room again for what is given back", () => {
    const { take, giveBack } = shareOf(1);
    take("ann");
    giveBack("ann");
    giveBack("bob");
    expect([take("ann"), take("ann"), take("bob")]).toEqual([0, 1_100, 0]);
  });

  it("may have no limit", () => {
    const { take } = shareOf(Number.POSITIVE_INFINITY);
    expect(Array.from({ length: 100 }, () => take("ann"))).toEqual(Array.from({ length: 100 }, () => 0));
  });

  it("is remembered only while some of it is used", () => {
    const { take, pass } = shareOf(1);
    for (let caller = 0; caller < 9_999; caller++) take(`caller ${caller}`);
    pass(1_100);
    expect(take("the one at which is looked")).toBe(0);
    expect(take("caller 1")).toBe(0);
  });
});

describe("a share of several processes", () => {
  it("is exceeded by no more than a hundredth for each, and counted once for a hundredth", async () => {
    const { process, asked } = processes(1_000);
    const shares = [process(), process(), process()];
    let taken = 0;
    for (let n = 0; n < 2_000; n++) for (const { take } of shares) if ((await take("ann")) === 0) taken += 1;
    expect(taken).toBeGreaterThanOrEqual(1_000);
    expect(taken).toBeLessThanOrEqual(1_030);
    expect(asked()).toBeLessThanOrEqual(103);
  });

  it("is asked for once at a time, and again after a failure", async () => {
    let asked = 0;
    const answer = Promise.withResolvers<CountedKeys[]>();
    const count = () => {
      asked += 1;
      return asked === 1 ? answer.promise : Promise.resolve([]);
    };
    const { take } = callerShare({ max: 2, windowMs: 1_000, count, now: () => 0 });
    expect(take("ann")).toBe(0);
    const waiting = Promise.allSettled([take("ann"), take("ann")]);
    expect(asked).toBe(1);
    answer.reject(new Error("away"));
    expect((await waiting).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([await take("ann"), asked]).toEqual([0, 2]);
  });
});
