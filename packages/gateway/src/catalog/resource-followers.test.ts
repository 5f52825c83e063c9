import { expect, onTestFinished, test } from "vitest";
import { toSignal } from "../call/ending.ts";
import type { UpstreamRequest } from "../call/upstream.ts";
import { createIdentity } from "./own-results.ts";
import { createFollower } from "./resource-followers.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/** A follower at an upstream of the newer era that agrees to some resources. */
function openFollower(agrees: (uri: string) => boolean) {
  const asked: string[][] = [];
  const upstream = {
    options: { name: "up" },
    ready: () => "2026-07-28",
    send({ parsed, onNotification, signal }: UpstreamRequest) {
      const { resourceSubscriptions } = (parsed as { notifications: { resourceSubscriptions: string[] } })
        .notifications;
      asked.push(resourceSubscriptions);
      const params = { notifications: { resourceSubscriptions: resourceSubscriptions.filter(agrees) } };
      onNotification(Buffer.from(JSON.stringify({ method: "notifications/subscriptions/acknowledged", params })));
      return new Promise((resolve) => {
        toSignal(signal).addEventListener("abort", () => resolve({ kind: "failed" }), { once: true });
      });
    },
  };
  const follower = createFollower({
    lists: { upstream, era: "2026-07-28" } as unknown as UpstreamLists,
    addressAt: () => ({ session: "s", caller: { id: "ada", tenant: "acme" } }),
    onUpdated() {},
    identity: createIdentity({ name: "test" }, false),
    now: () => performance.now(),
    observer: { unexpected() {} },
  });
  onTestFinished(() => follower.close());
  return { follower, asked };
}

test("a resource that the upstream dropped once can be followed again", async () => {
  let isDropped = false;
  const { follower, asked } = openFollower((uri) => uri !== "doc://b" || !isDropped);
  expect(await follower.add("doc://a")).toBeUndefined();
  expect(await follower.add("doc://b")).toBeUndefined();
  isDropped = true;
  // A new stream, in which the upstream does not agree to the other resource any more.
  expect(await follower.add("doc://c")).toBeUndefined();
  expect(await follower.add("doc://b")).toMatchObject({ reason: "resource/subscription_failed" });
  isDropped = false;
  follower.remove("doc://b");
  expect(await follower.add("doc://b")).toBeUndefined();
  expect(asked.at(-1)).toEqual(["doc://a", "doc://c", "doc://b"]);
});

test("what was dropped while nobody asked is not refused later", async () => {
  let isDropped = false;
  const { follower } = openFollower((uri) => uri !== "doc://b" || !isDropped);
  await follower.add("doc://a");
  await follower.add("doc://b");
  isDropped = true;
  await follower.add("doc://c");
  isDropped = false;
  follower.remove("doc://b");
  expect(await follower.add("doc://b")).toBeUndefined();
});
