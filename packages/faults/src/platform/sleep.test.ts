import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { idGenerator } from "./random.ts";
import { sleep } from "./sleep.ts";

it("sleeps, and removes its listener", async () => {
  const { signal } = new AbortController();
  await sleep(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("wakes at once when it is aborted, before or while it sleeps", async () => {
  const controller = new AbortController();
  const asleep = sleep(60_000, controller.signal);
  controller.abort("enough");
  await expect(asleep).rejects.toBe("enough");
  await expect(sleep(60_000, controller.signal)).rejects.toBe("enough");
});

it("creates ids that differ and sort by time", () => {
  let now = 0;
  const createId = idGenerator(() => now++);
  const ids = Array.from({ length: 1_000 }, createId);
  expect(new Set(ids.map((id) => id.slice(10))).size).toBe(1_000);
  expect(ids.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
});
