import { expect, it } from "vitest";
import { createReplicaBus } from "../../stores/replica-bus.ts";
import { CallQuestions } from "../call-questions.ts";
import { RemoteQuestions } from "../remote-questions.ts";
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
    remote: undefined,
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

class WatchedQuestions extends RemoteQuestions {
  readonly served = new Map<string, () => unknown>();

  override serve(address: string, find: () => CallQuestions | undefined): () => void {
    const leave = super.serve(address, find);
    this.served.set(address, find);
    return () => {
      leave();
      this.served.delete(address);
    };
  }
}

it("lets other replicas find the newest call that can be asked, as long as the stream is kept", async () => {
  const observer = { unexpected: () => {}, log: () => {} };
  const remote = new WatchedQuestions(await createReplicaBus({ mode: "memory" }, { observer }));
  const { served } = remote;
  const { streams } = streamsOf({ remote });
  const session = sessionOf("s1");
  const questions = [1, 2].map(() => new CallQuestions(async () => ({ result: Buffer.from("{}") })));
  const calls = [...questions, undefined].map((one) => ({ questions: one, onNotification: () => {} }));
  for (const one of calls) void streams.enter("ann\nsecret", session, one);
  expect([...served.keys()].join()).not.toMatch(/ann|s1/);
  const [find] = served.values();
  expect(find?.()).toBe(questions[1]);
  for (const one of calls.slice(1)) streams.leave("ann\nsecret", one);
  expect(find?.()).toBe(questions[0]);
  const before = [...served.keys()];
  void streams.enter("ann\nsecret", sessionOf("s2"), call());
  expect(served.size).toBe(1);
  expect([...served.keys()]).not.toEqual(before);
  streams.drop("ann\nsecret");
  expect(served.size).toBe(0);
});
