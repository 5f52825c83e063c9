import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { KeptSubscriptions } from "../sessions/open-streams.ts";
import { KeptUris } from "../sessions/open-streams.ts";
import { createIdentity } from "./own-results.ts";
import { SessionFeed } from "./session-feed.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An upstream of the older era that agrees to everything; `say` is what it says in the session. */
function upstreamOf(name: string) {
  const listeners = new Set<(message: Buffer) => void>();
  const sent: string[] = [];
  const upstream = {
    options: { name, timeoutMs: 1_000, credential: { kind: "none" } },
    about: { capabilities: { resources: { subscribe: true } } },
    async send({ method, parsed }: { method: string; parsed: { uri: string } }) {
      sent.push(`${method} ${parsed.uri}`);
      return { kind: "answer", status: 200, header: () => undefined, body: Buffer.from('{"result":{}}') };
    },
    follow(_address: unknown, listen: (message: Buffer) => void, signal: AbortSignal) {
      listeners.add(listen);
      signal.addEventListener("abort", () => listeners.delete(listen));
    },
  };
  const lists = { upstream, era: "2025-11-25" } as unknown as UpstreamLists;
  const update = (uri: string, method = "notifications/resources/updated") => {
    for (const listen of listeners) listen(Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params: { uri } })));
  };
  return { lists, sent, listeners, update };
}

function world() {
  const shop = upstreamOf("shop");
  const owners = new Map<string, UpstreamLists | undefined>();
  const told: string[] = [];
  const reader = { isSlow: false };
  const kept: KeptSubscriptions = { uris: new KeptUris({ chars: 0 }), seen: undefined };
  const open = () =>
    new SessionFeed({
      kept,
      write(message) {
        const { method, params } = JSON.parse(message.toString()) as { method: string; params?: { uri: string } };
        if (!reader.isSlow) told.push(params?.uri ?? method);
        return !reader.isSlow;
      },
      addressAt: () => ({ session: "ada\nn1", caller: { id: "ada", tenant: "acme" } }),
      view: () => ({}) as View,
      findOwner: (uri) => (owners.has(uri) ? owners.get(uri) : shop.lists),
      identity: createIdentity({ name: "test" }, false),
      now: () => performance.now(),
      observer: { unexpected() {} },
    });
  return { shop, owners, told, reader, kept, feed: open(), open };
}

const settle = () => vi.advanceTimersByTimeAsync(1_000);

describe("a resource that a session follows", () => {
  it("is told when it has changed, and so are its parts; nothing else is", async () => {
    const { feed, shop, told } = world();
    await feed.subscribe("doc://one", shop.lists);
    await feed.subscribe("doc://folder/", shop.lists);
    for (const uri of ["doc://one", "doc://one/part", "doc://onetwo", "doc://folder/a/b", "doc://other", "x"]) {
      shop.update(uri);
    }
    shop.update("doc://one", "notifications/message");
    await settle();
    expect(told.toSorted()).toEqual(["doc://folder/a/b", "doc://one", "doc://one/part"]);
  });

  it("is not told where the caller does not see it any more, or it belongs to another upstream now", async () => {
    const { feed, shop, told, owners } = world();
    await feed.subscribe("doc://one", shop.lists);
    owners.set("doc://one", undefined);
    shop.update("doc://one");
    owners.set("doc://one", upstreamOf("other").lists);
    shop.update("doc://one");
    await settle();
    expect(told).toEqual([]);
  });

  it("is asked for once, and no longer after it was unsubscribed", async () => {
    const { feed, shop, told, kept } = world();
    await feed.subscribe("doc://one", shop.lists);
    await feed.subscribe("doc://one", shop.lists);
    expect(shop.listeners.size).toBe(1);
    feed.unsubscribe("doc://one");
    feed.unsubscribe("doc://one");
    await settle();
    shop.update("doc://one");
    await settle();
    expect(shop.sent).toEqual(["resources/subscribe doc://one", "resources/unsubscribe doc://one"]);
    expect([told, [...kept.uris], shop.listeners.size, vi.getTimerCount()]).toEqual([[], [], 0, 0]);
  });

  it("is taken up by the next feed of the session, and told as changed", async () => {
    const { feed, shop, told, open } = world();
    await feed.subscribe("doc://one", shop.lists);
    feed.close();
    feed.notices.close();
    await settle();
    expect(shop.listeners.size).toBe(0);
    const next = open();
    next.resume({ haveListsChanged: true });
    await settle();
    expect(told.toSorted()).toEqual([
      "doc://one",
      "notifications/prompts/list_changed",
      "notifications/resources/list_changed",
      "notifications/tools/list_changed",
    ]);
    shop.update("doc://one");
    await settle();
    expect(told.filter((one) => one === "doc://one").length).toBe(2);
    expect(shop.sent.filter((one) => one === "resources/subscribe doc://one").length).toBe(2);
  });

  it("is subscribed to again from time to time, since the upstream may have forgotten it", async () => {
    const { feed, shop } = world();
    await feed.subscribe("doc://one", shop.lists);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(shop.sent).toEqual(["resources/subscribe doc://one", "resources/subscribe doc://one"]);
    expect(shop.listeners.size).toBe(1);
  });
});

describe("bounds", () => {
  it("a session follows a thousand resources, and not one more", async () => {
    const { feed, shop, kept } = world();
    for (let count = 0; count < 1_000; count++)
      expect(await feed.subscribe(`doc://${count}`, shop.lists)).toBe(undefined);
    expect(await feed.subscribe("doc://more", shop.lists)).toMatchObject({
      reason: "resource/subscription_failed",
      effect: "none",
    });
    feed.unsubscribe("doc://7");
    expect(await feed.subscribe("doc://more", shop.lists)).toBe(undefined);
    expect(kept.uris.size).toBe(1_000);
  });

  it("its URIs are not of any length", async () => {
    const { feed, shop, kept } = world();
    expect(await feed.subscribe(`doc://${"x".repeat(131_072)}`, shop.lists)).toMatchObject({
      reason: "resource/subscription_failed",
    });
    expect(kept.uris.size).toBe(0);
  });

  it("an upstream that invents parts of a resource does not fill the memory of a session that reads slowly", async () => {
    const { feed, shop, told, reader } = world();
    await feed.subscribe("doc://one", shop.lists);
    reader.isSlow = true;
    for (let count = 0; count < 100_000; count++) shop.update(`doc://one/${count}`);
    shop.update(`doc://one/${"x".repeat(1_000_000)}`);
    await settle();
    expect(feed.notices.size).toBeLessThanOrEqual(1_001);
    reader.isSlow = false;
    await settle();
    expect(told).toContain("doc://one");
    expect(feed.notices.size).toBe(0);
  });
});
