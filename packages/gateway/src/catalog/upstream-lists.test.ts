import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordingObserver } from "../../test/catalog/support/calls.ts";
import { httpUpstream } from "../../test/support/config.ts";
import type { Upstream } from "../call/upstream.ts";
import { UpstreamLists } from "./upstream-lists.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a change that is heard on many streams is told to callers once, and what comes meanwhile once more", async () => {
  const upstream: Upstream = {
    options: httpUpstream("http://127.0.0.1:1/mcp", { lists: "caller" }),
    ready: () => "2026-07-28",
    about: { capabilities: { tools: {} }, instructions: undefined },
    close: () => Promise.resolve(),
    send: () => Promise.reject(new Error("lists of callers are not read here")),
  };
  let told = 0;
  const lists = new UpstreamLists({
    upstream,
    observer: recordingObserver().observer,
    client: { name: "test", version: "1" },
    now: () => performance.now(),
    onRead() {},
    onNotification() {},
    onOutdated() {
      told += 1;
    },
  });
  for (let stream = 0; stream < 1_000; stream++) lists.invalidate();
  expect(told).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toBe(2);
  lists.invalidate();
  expect(told).toBe(3);
  lists.close();
  lists.invalidate();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(told).toBe(3);
  expect(vi.getTimerCount()).toBe(0);
});
