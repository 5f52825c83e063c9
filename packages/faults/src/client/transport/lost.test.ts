import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Attempt, addExchange, createAttempts, endExchange, untilLost } from "./attempts.ts";
import { begin, type Exchange } from "./exchange.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL = { id: "a", attempt: 1 };

function started(): { attempt: Attempt; exchange: Exchange; heard: unknown[]; stop: AbortController } {
  const attempt = createAttempts(1).of(CALL);
  const exchange = begin(0);
  const stop = new AbortController();
  const heard: unknown[] = [];
  untilLost(attempt, { signal: stop.signal, graceMs: 50 }).then(
    ({ phase }) => heard.push(phase),
    (reason: unknown) => heard.push(reason),
  );
  addExchange(attempt, exchange);
  return { attempt, exchange, heard, stop };
}

test("an end without an answer is told after the grace, not before", async () => {
  const { attempt, exchange, heard } = started();
  endExchange(attempt, exchange, () => true);
  await vi.advanceTimersByTimeAsync(49);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard).toEqual(["sent"]);
});

test("an end that came before anybody asked is told too", async () => {
  const attempt = createAttempts(1).of(CALL);
  const exchange = begin(0);
  addExchange(attempt, exchange);
  endExchange(attempt, exchange, () => true);
  const lost = untilLost(attempt, { signal: new AbortController().signal, graceMs: 50 });
  await vi.advanceTimersByTimeAsync(50);
  expect((await lost).exchanges).toBe(1);
});

test("an answered exchange, or one that another follows, is not lost", async () => {
  const { attempt, exchange, heard } = started();
  endExchange(attempt, exchange, () => false);
  await vi.advanceTimersByTimeAsync(1_000);
  endExchange(attempt, exchange, () => true);
  addExchange(attempt, begin(1));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(heard).toEqual([]);
});

test("who stops waiting is told why, and leaves nothing behind", async () => {
  const { attempt, exchange, heard, stop } = started();
  endExchange(attempt, exchange, () => true);
  stop.abort("enough");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(heard).toEqual(["enough"]);
  expect(attempt.listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  await expect(untilLost(attempt, { signal: AbortSignal.abort("before"), graceMs: 50 })).rejects.toBe("before");
});
