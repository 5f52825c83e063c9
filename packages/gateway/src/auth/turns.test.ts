import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("no more than the limit run at a time, in order, and those that find a full queue are turned away", async () => {
  const turns = new Turns({ max: 2, maxWaiting: 2 });
  const ends: (() => void)[] = [];
  const began: number[] = [];
  const start = (name: number) =>
    turns.run(async () => {
      began.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const runs = [start(1), start(2), start(3), start(4)];
  await expect(start(5)).rejects.toThrow("too many");
  expect(began).toEqual([1, 2]);
  ends[0]?.();
  await expect(runs[0]).resolves.toBe(1);
  await expect.poll(() => began).toEqual([1, 2, 3]);
  ends[1]?.();
  await expect.poll(() => began).toEqual([1, 2, 3, 4]);
  ends[2]?.();
  ends[3]?.();
  await expect(Promise.all(runs)).resolves.toEqual([1, 2, 3, 4]);
});

test("a task that fails gives its turn away", async () => {
  const turns = new Turns({ max: 1, maxWaiting: 0 });
  await expect(turns.run(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
  await expect(turns.run(() => Promise.resolve(1))).resolves.toBe(1);
});
