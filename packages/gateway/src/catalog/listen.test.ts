import { auth, core } from "@recourse/core/reasons";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Call, Step } from "../call/call.ts";
import { streamPool } from "../limits/shares.ts";
import { Feeds } from "./feeds.ts";
import { Listening } from "./listen.ts";
import type { Refusals } from "./methods.ts";
import { createIdentity } from "./own-results.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An upstream of the older era that answers on command. */
function slowUpstream() {
  const open = new Map<string, () => void>();
  const sent: string[] = [];
  let most = 0;
  const upstream = {
    options: { name: "slow", timeoutMs: 60_000, credential: { kind: "none" } },
    about: { capabilities: { resources: { subscribe: true } } },
    send({ method, parsed }: { method: string; parsed: { uri: string } }) {
      sent.push(`${method} ${parsed.uri}`);
      return new Promise((resolve) => {
        const body = Buffer.from('{"result":{}}');
        open.set(parsed.uri, () => {
          open.delete(parsed.uri);
          resolve({ kind: "answer", status: 200, header: () => undefined, body });
        });
        most = Math.max(most, open.size);
      });
    },
    follow() {},
  };
  const lists = { upstream, era: "2025-11-25" } as unknown as UpstreamLists;
  const answer = async (...uris: readonly string[]) => {
    for (const uri of uris) open.get(uri)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { lists, sent, open, answer, most: () => most };
}

/** Opens a stream for these resources. */
function listen(lists: UpstreamLists, uris: readonly string[], recheck: readonly Step[] = []) {
  const view = { reaches: () => true } as unknown as View;
  const pool = streamPool();
  const listening = new Listening({
    streams: pool,
    all: [lists],
    refusals: {} as Refusals,
    feeds: new Feeds(),
    createView: () => view,
    findOwner: () => lists,
    identity: createIdentity({ name: "test" }, false),
    now: () => performance.now(),
    observer: { unexpected() {} },
  });
  const left = new AbortController();
  const messages: { method: string; params: { notifications: { resourceSubscriptions?: string[] } } }[] = [];
  const call = {
    caller: { id: "ada", tenant: "acme" },
    abilities: {},
    message: { id: 1, params: { notifications: { resourceSubscriptions: uris } }, bytes: Buffer.alloc(100) },
    origin: {
      signal: left.signal,
      head: { header: () => undefined },
      notify: (message: Buffer) => void messages.push(JSON.parse(message.toString())),
    },
  } as unknown as Call;
  const ended = listening.answer(call, recheck);
  return { messages, ended, leave: () => left.abort(), count: () => listening.countSubscriptions(call) };
}

it("names only what the upstream has agreed to in time, and takes the rest back", async () => {
  const { lists, sent, answer } = slowUpstream();
  const { messages, ended, leave, count } = listen(lists, ["doc://one", "doc://two"]);
  expect(count()).toBe(2);
  await vi.advanceTimersByTimeAsync(0);
  await answer("doc://one");
  await vi.advanceTimersByTimeAsync(9_000);
  expect(messages).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messages.map(({ params }) => params.notifications)).toEqual([{ resourceSubscriptions: ["doc://one"] }]);
  // It agrees too late.
  await answer("doc://two");
  expect(sent.slice(2)).toEqual(["resources/unsubscribe doc://two"]);
  leave();
  await ended;
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.slice(3)).toEqual(["resources/unsubscribe doc://one"]);
});

it("asks an upstream for a few resources at a time, and takes them back one after the other", async () => {
  const { lists, sent, open, answer, most } = slowUpstream();
  const uris = Array.from({ length: 30 }, (_, index) => `doc://${index}`);
  const { messages, ended, leave } = listen(lists, uris);
  await vi.advanceTimersByTimeAsync(0);
  while (open.size > 0) await answer(...open.keys());
  expect(most()).toBe(8);
  expect(messages[0]?.params.notifications.resourceSubscriptions).toEqual(uris);
  leave();
  await ended;
  await vi.advanceTimersByTimeAsync(0);
  expect(open.size).toBe(1);
  while (open.size > 0) await answer(...open.keys());
  expect(sent).toHaveLength(60);
});

it("of a caller that leaves while the upstream thinks leaves nothing behind", async () => {
  const { lists, sent, answer } = slowUpstream();
  const { messages, ended, leave } = listen(lists, ["doc://one"]);
  await vi.advanceTimersByTimeAsync(0);
  leave();
  await ended;
  await answer("doc://one");
  expect(sent).toEqual(["resources/subscribe doc://one", "resources/unsubscribe doc://one"]);
  expect(messages).toEqual([]);
});

it("ends for a caller that may not listen any more, and not because a store is away", async () => {
  const { lists, sent, answer } = slowUpstream();
  const faults = [undefined, core.unavailable.fault(), auth.invalid_credentials.fault()];
  let checks = 0;
  const { messages, ended } = listen(lists, ["doc://one"], [() => faults[checks++]]);
  await vi.advanceTimersByTimeAsync(0);
  await answer("doc://one");
  await vi.advanceTimersByTimeAsync(179_999);
  expect([messages.length, checks, sent.length]).toEqual([1, 2, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await ended).toContain("complete");
  expect(sent.slice(1)).toEqual(["resources/unsubscribe doc://one"]);
  await answer("doc://one");
  expect(vi.getTimerCount()).toBe(0);
});
