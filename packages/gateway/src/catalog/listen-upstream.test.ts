import { core } from "@recourse/core/reasons";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenToUpstream, ownAddress, type UpstreamStream } from "./listen-upstream.ts";
import { createIdentity } from "./own-results.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Listens for a minute to an upstream that ends each stream. */
async function listenInVain(stream: Pick<UpstreamStream, "part" | "address">) {
  let [opened, invalidated] = [0, 0];
  const lists = {
    era: "2026-07-28",
    upstream: {
      options: { name: "up" },
      ready: () => "2026-07-28",
      async send() {
        opened += 1;
        return { kind: "failed", fault: core.unavailable.fault(), cause: undefined };
      },
    },
    invalidate() {
      invalidated += 1;
    },
  } as unknown as UpstreamLists;
  const left = new AbortController();
  const parts = { identity: createIdentity({ name: "test" }, false), now: () => performance.now() };
  const observer = { unexpected() {} };
  void listenToUpstream({ ...stream, lists, signal: left.signal, onMessage() {} }, { ...parts, observer });
  await vi.advanceTimersByTimeAsync(60_000);
  left.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  expect(opened).toBeGreaterThan(3);
  return { opened, invalidated };
}

test("lists are read again after each time without the stream that tells of them", async () => {
  const { opened, invalidated } = await listenInVain({ part: { toolsListChanged: true } });
  expect(invalidated).toBe(opened - 1);
});

test("a stream of one caller that cannot be opened makes nobody read lists", async () => {
  const lists = { upstream: { options: { name: "up" } } } as unknown as UpstreamLists;
  const { invalidated } = await listenInVain({
    part: { resourceSubscriptions: ["doc://one"] },
    address: ownAddress(lists),
  });
  expect(invalidated).toBe(0);
});
