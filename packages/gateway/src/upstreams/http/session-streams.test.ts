import { expect, it } from "vitest";
import { UpstreamSession } from "./session-pool.ts";
import { SessionStreams, type SessionStreamsOptions } from "./session-streams.ts";

const sessionOf = (id: string | undefined) =>
  new UpstreamSession({ id, version: "2025-11-25" }, { holder: { id: "ann", tenant: "acme" }, firstId: 0, nowMs: 0 });

/** Streams whose server begins each at once, and never ends it. */
function streamsOf(more: Partial<SessionStreamsOptions> = {}) {
  const open = new Set<string | undefined>();
  const streams = new SessionStreams({
    name: "shop",
    listen: ({ id }, { signal, onOpen }) => {
      open.add(id);
      onOpen();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          open.delete(id);
          resolve(undefined);
        });
      });
    },
    reply: async () => {},
    now: () => performance.now(),
    ...more,
  });
  return { streams, open };
}

const call = () => ({ questions: undefined, onNotification: () => {} });

it("keeps no more streams than it may, unless they are needed at one time", async () => {
  const { streams, open } = streamsOf({ maxStreams: 2 });
  const calls = ["a", "b", "c"].map((key) => {
    const one = call();
    void streams.enter(key, sessionOf(key), one);
    return [key, one] as const;
  });
  expect([...open]).toEqual(["a", "b", "c"]);
  for (const [key, one] of calls) streams.leave(key, one);
  void streams.enter("d", sessionOf("d"), call());
  expect([...open]).toEqual(["b", "c", "d"]);
  streams.drop("b");
  expect([...open]).toEqual(["c", "d"]);
  streams.close();
  expect([...open]).toEqual([]);
  void streams.enter("e", sessionOf("e"), call());
  expect(streams.size).toBe(0);
});

it("has none for an upstream without sessions", () => {
  const { streams, open } = streamsOf();
  expect(streams.enter("a", sessionOf(undefined), call())).toBeUndefined();
  expect([open.size, streams.has("a")]).toEqual([0, false]);
});
