import { type AddressInfo, connect, createServer } from "node:net";
import { eventually } from "@recourse/test-kit/eventually";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openRedis } from "./redis.ts";
import { createReplicaBus, type ReplicaBus, type ReplicaBusOptions } from "./replica-bus.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
});
afterAll(() => server.close());

const LIMITS = { timeoutMs: 2_000 };
const never = () => new Promise<undefined>(() => {});

/** From now on time passes only if the test says so: no limit ends on a slow machine. What Redis does goes on. */
function holdTime() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

function witness() {
  const seen: string[] = [];
  return {
    seen,
    unexpected: (error: unknown, where: string) => void seen.push(`${where}: ${(error as Error).message}`),
    log: (_level: string, message: string, facts?: unknown) => void seen.push(`${message} ${JSON.stringify(facts)}`),
  };
}

interface TestReplica extends Partial<ReplicaBusOptions> {
  readonly on?: RedisServer;
  readonly cluster?: boolean;
}

async function openReplica(where: TestReplica = {}) {
  const { bus } = await openWithRedis(where);
  return bus;
}

async function openWithRedis({ on = server, cluster = false, ...rest }: TestReplica = {}) {
  const { redis, close } = await openRedis({ urls: [on.url], cluster, onError: () => {} });
  const bus = await createReplicaBus({ mode: "shared", redis }, { observer: witness(), ...rest });
  onTestFinished(() => {
    bus.close();
    close();
  });
  return { bus, redis };
}

async function connectStranger() {
  const stranger = await connectRedis(server.url);
  onTestFinished(() => stranger.destroy());
  return stranger;
}

function collect(bus: ReplicaBus, kind: string) {
  const got: unknown[] = [];
  bus.on(kind, (body, from) => {
    got.push([body, from]);
    return undefined;
  });
  return got;
}

describe("with Redis", () => {
  beforeEach(holdTime);

  it("asks one replica, and gets its answer", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    b.on("double", ({ n }, from) => ({ n: Number(n) * 2, from }));
    expect(await a.ask(b.replica, "double", { n: 21 }, LIMITS)).toEqual({ n: 42, from: a.replica });
    expect(a.replica).toMatch(/^[a-z0-9]{16}$/);
    expect(a.replica).not.toBe(b.replica);
  });

  it("sends to one, and to all others", async () => {
    const [a, b, c] = [await openReplica(), await openReplica(), await openReplica()];
    const got = [a, b, c].map((bus) => collect(bus, "news"));
    a.send(b.replica, "news", { to: "b" });
    a.broadcast("news", { to: "all" });
    a.send(a.replica, "news", { to: "a" });
    await eventually(() => expect(got.map((one) => one.length)).toEqual([1, 2, 1]));
    expect(got[2]).toEqual([[{ to: "all" }, a.replica]]);
  });

  it("tells at once that an answer is too long to be sent", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    b.on("long", () => ({ text: "x".repeat(16_000_001) }));
    expect(await a.ask(b.replica, "long", {}, LIMITS)).toBeUndefined();
  });

  it("carries six million characters, both ways", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    const text = 'ü"x'.repeat(2_000_000);
    b.on("echo", (body) => body);
    const answer = await a.ask(b.replica, "echo", { text }, LIMITS);
    expect(answer?.["text"] === text).toBe(true);
  });

  it("does not send what is too long, and says so once a minute", async () => {
    let nowMs = 0;
    const observer = witness();
    const a = await openReplica({ observer, now: () => nowMs });
    const text = "x".repeat(17_000_000);
    expect(await a.ask("other", "k", { text }, LIMITS)).toBeUndefined();
    expect(await a.ask("other", "k", { text }, LIMITS)).toBeUndefined();
    expect(observer.seen).toEqual(['A message to another replica could not be sent. {"kind":"k","why":"too long"}']);
    nowMs = 60_000;
    expect(await a.ask("other", "k", { text }, LIMITS)).toBeUndefined();
    expect(observer.seen).toHaveLength(2);
  });

  it("knows at once that a replica is gone", async () => {
    const a = await openReplica();
    expect(await a.ask("gone", "k", {}, LIMITS)).toBeUndefined();
  });

  it("waits no longer than it was told, and no longer than its caller", async () => {
    const [{ bus: a, redis }, b] = [await openWithRedis(), await openReplica()];
    let asked = Promise.withResolvers<void>();
    b.on("slow", () => {
      asked.resolve();
      return never();
    });
    const late = a.ask(b.replica, "slow", {}, LIMITS);
    await asked.promise;
    // Then the question counts as sent too.
    await redis.publish("nobody", "");
    vi.advanceTimersByTime(1_999);
    expect(await Promise.race([late, Promise.resolve("waiting")])).toBe("waiting");
    vi.advanceTimersByTime(1);
    expect(await late).toBeUndefined();
    asked = Promise.withResolvers();
    const caller = new AbortController();
    const left = a.ask(b.replica, "slow", {}, { ...LIMITS, signal: caller.signal });
    await asked.promise;
    caller.abort();
    expect(await left).toBeUndefined();
  });

  it("an answer counts only from the replica that was asked", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    const asked = Promise.withResolvers<string>();
    const go = Promise.withResolvers<undefined>();
    b.on("who", async () => {
      asked.resolve("asked");
      await go.promise;
      return { who: "b" };
    });
    const answer = a.ask(b.replica, "who", {}, LIMITS);
    await asked.promise;
    const stranger = await connectStranger();
    for (const from of ["stranger", a.replica]) {
      const forged = { v: 1, kind: "bus.answer", from, to: a.replica, ask: "1", body: { who: from } };
      await stranger.publish(`recourse:replica:${a.replica}`, JSON.stringify(forged));
    }
    go.resolve(undefined);
    expect(await answer).toEqual({ who: "b" });
  });

  it("what is no message is ignored", async () => {
    const observer = witness();
    const a = await openReplica({ observer });
    const got = collect(a, "k");
    const stranger = await connectStranger();
    const channel = `recourse:replica:${a.replica}`;
    const bad = [
      "",
      "null",
      "[]",
      "{",
      '{"v":2,"kind":"k","from":"x","body":{}}',
      '{"v":1,"kind":7,"from":"x","body":{}}',
      '{"v":1,"kind":"k","body":{}}',
      '{"v":1,"kind":"k","from":"x","to":"another","body":{}}',
      '{"v":1,"kind":"unknown","from":"x","body":{}}',
      '{"v":1,"kind":"bus.answer","from":"x","ask":"99","body":{}}',
      '{"v":1,"kind":"bus.answer","from":"x","body":{}}',
    ];
    for (const text of bad) await stranger.publish(channel, text);
    await stranger.publish(channel, '{"v":1,"kind":"k","from":"x","body":{"last":true}}');
    await eventually(() => expect(got).toEqual([[{ last: true }, "x"]]));
    expect(observer.seen).toEqual([]);
  });

  it("a handler that throws is told about, and its asker does not wait", async () => {
    const observer = witness();
    const [a, b] = [await openReplica(), await openReplica({ observer })];
    b.on("bad", () => {
      throw new Error("broken");
    });
    b.on("worse", () => Promise.reject(new Error("broken too")));
    expect(await a.ask(b.replica, "bad", {}, LIMITS)).toBeUndefined();
    expect(await a.ask(b.replica, "worse", {}, LIMITS)).toBeUndefined();
    expect(observer.seen).toEqual(["bus bad: broken", "bus worse: broken too"]);
  });

  it("holds a bounded number of questions", async () => {
    const [a, b] = [await openReplica({ maxAsks: 2 }), await openReplica()];
    const go = Promise.withResolvers<undefined>();
    b.on("k", async () => {
      await go.promise;
      return {};
    });
    const first = [a.ask(b.replica, "k", {}, LIMITS), a.ask(b.replica, "k", {}, LIMITS)];
    expect(await a.ask(b.replica, "k", {}, LIMITS)).toBeUndefined();
    go.resolve(undefined);
    expect(await Promise.all(first)).toEqual([{}, {}]);
    expect(await a.ask(b.replica, "k", {}, LIMITS)).toEqual({});
  });

  it("a closed bus ends what waits, and takes nothing more", async () => {
    const [here, there] = [await openWithRedis(), await openWithRedis()];
    const [a, b] = [here.bus, there.bus];
    b.on("k", never);
    const asking = a.ask(b.replica, "k", {}, LIMITS);
    const got = collect(a, "news");
    a.close();
    expect(await asking).toBeUndefined();
    expect(await a.ask(b.replica, "k", {}, LIMITS)).toBeUndefined();
    const last = Promise.withResolvers<string>();
    await here.redis.listen("last", last.resolve);
    b.send(a.replica, "news", {});
    // Goes by the same connections, so it arrives after the other one.
    await there.redis.publish("last", "!");
    await last.promise;
    expect(got).toEqual([]);
  });
});

// The client of Redis waits before it connects again, so time passes here.
describe("with a Redis that goes away", () => {
  it("is heard although the connection broke when it began to listen", async () => {
    const { hostname, port } = new URL(server.url);
    let isBroken = false;
    const proxy = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const socket of [near, far])
        socket.on("error", () => {}).on("close", () => void [near, far].map((one) => one.destroy()));
      far.pipe(near);
      near.on("data", (bytes) => {
        const breaks = !isBroken && /subscribe/i.test(bytes.toString());
        isBroken ||= breaks;
        if (breaks) near.destroy();
        else far.write(bytes);
      });
    });
    onTestFinished(() => void proxy.close());
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const url = new URL(server.url);
    url.port = String((proxy.address() as AddressInfo).port);
    const [a, b] = [await openReplica(), await openReplica({ on: { ...server, url: url.href } })];
    await expect.poll(() => isBroken).toBe(true);
    b.on("echo", (body) => body);
    const ask = () => a.ask(b.replica, "echo", { n: 1 }, LIMITS);
    await expect.poll(ask).toEqual({ n: 1 });
  });

  it("goes on when Redis is back", async () => {
    const own = await createRedisServer({ durable: false });
    onTestFinished(() => own.close());
    const observer = witness();
    const [a, b] = [await openReplica({ on: own, observer }), await openReplica({ on: own })];
    b.on("k", () => ({ ok: true }));
    const ask = () => a.ask(b.replica, "k", {}, LIMITS);
    await expect.poll(ask).toEqual({ ok: true });
    await own.kill();
    expect(await ask()).toBeUndefined();
    a.send(b.replica, "k", {});
    a.broadcast("k", {});
    await own.start();
    await expect.poll(ask).toEqual({ ok: true });
  });
});

it("works in a cluster, where nobody knows at once that a replica is gone", async () => {
  const on = await createRedisServer({ durable: false, cluster: true });
  onTestFinished(() => on.close());
  holdTime();
  const [{ bus: a, redis }, b] = [await openWithRedis({ on, cluster: true }), await openReplica({ on, cluster: true })];
  const got = collect(b, "news");
  b.on("double", ({ n }) => ({ n: Number(n) * 2 }));
  expect(await a.ask(b.replica, "double", { n: 21 }, LIMITS)).toEqual({ n: 42 });
  a.broadcast("news", {});
  await eventually(() => expect(got).toHaveLength(1));
  const lost = a.ask("gone", "k", {}, LIMITS);
  expect(await redis.publish("nobody", "")).toBe("sent");
  expect(await Promise.race([lost, Promise.resolve("waiting")])).toBe("waiting");
  vi.advanceTimersByTime(2_000);
  expect(await lost).toBeUndefined();
});

describe("in memory", () => {
  it("reaches itself, and nobody else", async () => {
    const bus = await createReplicaBus({ mode: "memory" }, { observer: witness(), replica: "only" });
    const got = collect(bus, "news");
    bus.on("double", ({ n }) => ({ n: Number(n) * 2 }));
    expect(await bus.ask("only", "double", { n: 4 }, LIMITS)).toEqual({ n: 8 });
    expect(await bus.ask("other", "double", { n: 4 }, LIMITS)).toBeUndefined();
    bus.broadcast("news", {});
    bus.send("other", "news", {});
    bus.send("only", "news", { own: true });
    await expect.poll(() => got).toEqual([[{ own: true }, "only"]]);
  });

  it("each sort has one handler", async () => {
    const bus = await createReplicaBus({ mode: "memory" }, { observer: witness() });
    bus.on("k", () => undefined);
    expect(() => bus.on("k", () => undefined)).toThrow("handler for k already");
    expect(() => bus.on("bus.answer", () => undefined)).toThrow();
  });
});
