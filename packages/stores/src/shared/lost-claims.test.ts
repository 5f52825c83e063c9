import { describe, expect, it } from "vitest";
import { Background } from "./background.ts";
import { LostClaims } from "./lost-claims.ts";

/** A claim whose key the engine cannot read. */
const BROKEN = -1;

/** An engine that can be away, with a clock that jumps over every pause. */
function setUp(max?: number) {
  const engine = { awayUntil: 0, madeAt: new Map<number, number>(), looks: [] as number[], atOnce: 0, mostAtOnce: 0 };
  let time = 0;
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
  const sleep = async (ms: number) => {
    time += ms;
    await tick();
  };
  const setTimer = () => () => {};
  const times = { timeoutMs: 1_000, repeatMs: 10_000, now: () => time };
  const background = new Background({ ...times, sleep, setTimer, random: () => 1 });
  const release = async (_key: string, fence: number) => {
    engine.looks.push(time);
    engine.atOnce += 1;
    engine.mostAtOnce = Math.max(engine.mostAtOnce, engine.atOnce);
    await tick();
    engine.atOnce -= 1;
    if (time < engine.awayUntil || fence === BROKEN) throw new Error("away");
    return (engine.madeAt.get(fence) ?? Number.POSITIVE_INFINITY) <= time && engine.madeAt.delete(fence);
  };
  const claims = new LostClaims({ ...times, release, background, sleep, idle: sleep, ...(max && { max }) });
  const until = (isReached: () => boolean) => expect.poll(isReached, { interval: 1, timeout: 20_000 }).toBe(true);
  return { engine, claims, background, until, now: () => time };
}

describe("a claim whose answer was lost", () => {
  it("is given back once where it was made", async () => {
    const { engine, claims, until } = setUp();
    engine.madeAt.set(1, 0);
    claims.add("a", 1);
    await until(() => claims.size === 0);
    expect([engine.looks, engine.madeAt.size]).toEqual([[0], 0]);
  });

  it("is given back where it is made later", async () => {
    const { engine, claims, until } = setUp();
    engine.madeAt.set(1, 1_000);
    claims.add("a", 1);
    await until(() => claims.size === 0);
    expect(engine.madeAt.size).toBe(0);
  });

  it("is looked for a few times, and then no more", async () => {
    const { engine, claims, until } = setUp();
    claims.add("a", 1);
    await until(() => claims.size === 0);
    expect(engine.looks.length).toBeGreaterThan(5);
    expect(engine.looks.length).toBeLessThan(12);
  });

  it("is given back although another one cannot be", async () => {
    const { engine, claims, until } = setUp();
    engine.madeAt.set(1, 0);
    claims.add("broken", BROKEN);
    claims.add("a", 1);
    await until(() => claims.size === 0);
    expect(engine.madeAt.size).toBe(0);
  });

  it("is not looked for where it is known that it was not made", async () => {
    const { engine, claims, until } = setUp();
    claims.add("a", 1);
    claims.forget(1);
    await until(() => engine.looks.length <= 1 && claims.size === 0);
  });
});

describe("while the engine is away for long, and many calls come in", () => {
  it("few statements are sent, one at a time, and the oldest claims are left to their deadline", async () => {
    const { engine, claims, until } = setUp(100);
    engine.awayUntil = 8_000;
    for (let fence = 0; fence < 5_000; fence++) {
      claims.add("a", fence);
      engine.madeAt.set(fence, 0);
    }
    expect(claims.size).toBe(100);
    await until(() => claims.size === 0);
    expect(engine.looks.filter((at) => at < 8_000).length).toBeLessThan(20);
    expect([engine.mostAtOnce, engine.madeAt.size]).toEqual([1, 4_900]);
  });
});

describe("closing", () => {
  it("looks for every claim once more, and does not wait for those that are not there", async () => {
    const { engine, claims, background, now } = setUp();
    for (let fence = 0; fence < 20; fence++) claims.add("a", fence);
    engine.madeAt.set(7, 0);
    await background.close(undefined);
    expect([claims.size, engine.madeAt.size]).toEqual([0, 0]);
    expect(now()).toBeLessThan(10_000);
  });
});
