import { expect, test } from "vitest";
import { EVERY_ABILITY } from "../../call/abilities.ts";
import { BackOff, type WorkerOptions, Workers } from "./workers.ts";

test("the pause doubles with each crash in a row, up to half a minute, and starts over after a long life", () => {
  let now = 0;
  const backOff = new BackOff(() => now);
  expect(backOff.restMs).toBe(0);
  const pauses = Array.from({ length: 10 }, () => {
    backOff.failed(100);
    return backOff.restMs;
  });
  expect(pauses).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  now = 29_000;
  expect(backOff.restMs).toBe(1_000);
  backOff.failed(10_000);
  expect(backOff.restMs).toBe(0);
});

test("a caller whose sessions need children of their own leaves places for others", async () => {
  const workers = new Workers({ max: 16, idleMs: undefined, worker: () => ({ now: () => 0 }) as WorkerOptions });
  const { promise: over, resolve: end } = Promise.withResolvers<string>();
  const use = (caller: string, key: string) =>
    workers.use({ caller, key: `${caller} ${key}`, abilities: EVERY_ABILITY }, () => over);
  const greedy = Array.from({ length: 64 }, (_, at) => use("greedy", String(at)));
  expect(workers.size).toBe(4);
  const others = Array.from({ length: 12 }, (_, at) => use(`other ${at}`, ""));
  end("used");
  expect(await Promise.all(others)).toEqual(Array(12).fill("used"));
  expect((await Promise.all(greedy)).filter((one) => one === "used")).toHaveLength(4);
  // Its own idle child makes room, not one of the others.
  expect(await use("greedy", "new")).toBe("used");
  expect(workers.size).toBe(16);
});
