import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type OpenRedis, openRedis } from "./redis.ts";
import { createReplicaBus, type ReplicaBus, type ReplicaBusOptions } from "./replica-bus.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
});
afterAll(() => server.close());

const LIMITS = { timeoutMs: 2_000 };

/** An observer that remembers what was reported to it. */
function witness() {
  const seen: string[] = [];
  return {
    seen,
    unexpected: (error: unknown, where: string) => void seen.push(`${where}: ${(error as Error).message}`),
    log: (_level: string, message: string, facts?: unknown) => void seen.push(`${message} ${JSON.stringify(facts)}`),
  };
}

/** Where and how a replica is opened. */
interface TestReplica extends Partial<ReplicaBusOptions> {
  readonly on?: RedisServer;
  readonly cluster?: boolean;
}

async function openReplica({ on = server, cluster = false, ...rest }: TestReplica = {}) {
  const opened: OpenRedis = await openRedis({ urls: [on.url], cluster, onError: () => {} });
  const bus = await createReplicaBus({ mode: "shared", redis: opened.redis }, { observer: witness(), ...rest });
  onTestFinished(() => {
    bus.close();
    opened.close();
  });
  return bus;
}

/** Messages of one sort, as a replica got them. */
function collect(bus: ReplicaBus, kind: string) {
  const got: unknown[] = [];
  bus.on(kind, (body, from) => {
    got.push([body, from]);
    return undefined;
  });
  return got;
}

describe("with Redis", () => {
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
    await expect.poll(() => got.map((one) => one.length)).toEqual([1, 2, 1]);
    expect(got[2]).toEqual([[{ to: "all" }, a.replica]]);
  });

  it("tells at once that an answer is too long to be sent", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    b.on("long", () => ({ text: "x".repeat(16_000_001) }));
    const asked = a.ask(b.replica, "long", {}, { timeoutMs: 60_000 });
    expect(await Promise.race([asked, wait(3_000, "still waiting")])).toBeUndefined();
  });

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
    expect(isBroken).toBe(true);
    b.on("echo", (body) => body);
    const ask = () => a.ask(b.replica, "echo", { n: 1 }, LIMITS);
    await expect.poll(ask, { timeout: 5_000 }).toEqual({ n: 1 });
  });

  it("carries six million characters, both ways", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    const text = 'ü"x'.repeat(2_000_000);
    b.on("echo", (body) => body);
    const answer = await a.ask(b.replica, "echo", { text }, { timeoutMs: 10_000 });
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
    const startedMs = performance.now();
    expect(await a.ask("gone", "k", {}, { timeoutMs: 30_000 })).toBeUndefined();
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it("waits no longer than it was told, and no longer than its caller", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    b.on("slow", () => wait(60_000, undefined, { ref: false }) as Promise<undefined>);
    expect(await a.ask(b.replica, "slow", {}, { timeoutMs: 30 })).toBeUndefined();
    const aborted = a.ask(b.replica, "slow", {}, { timeoutMs: 60_000, signal: AbortSignal.timeout(30) });
    expect(await aborted).toBeUndefined();
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
    const stranger = await connectRedis(server.url);
    onTestFinished(() => stranger.destroy());
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
    const stranger = await connectRedis(server.url);
    onTestFinished(() => stranger.destroy());
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
    await expect.poll(() => got).toEqual([[{ last: true }, "x"]]);
    expect(observer.seen).toEqual([]);
  });

  it("a handler that throws is told about, and its asker does not wait", async () => {
    const observer = witness();
    const [a, b] = [await openReplica(), await openReplica({ observer })];
    b.on("bad", () => {
      throw new Error("broken");
    });
    b.on("worse", () => Promise.reject(new Error("broken too")));
    expect(await a.ask(b.replica, "bad", {}, { timeoutMs: 60_000 })).toBeUndefined();
    expect(await a.ask(b.replica, "worse", {}, { timeoutMs: 60_000 })).toBeUndefined();
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

  it("works in a cluster, where nobody knows at once that a replica is gone", async () => {
    const on = await createRedisServer({ durable: false, cluster: true });
    onTestFinished(() => on.close());
    const [a, b] = [await openReplica({ on, cluster: true }), await openReplica({ on, cluster: true })];
    const got = collect(b, "news");
    b.on("double", ({ n }) => ({ n: Number(n) * 2 }));
    expect(await a.ask(b.replica, "double", { n: 21 }, LIMITS)).toEqual({ n: 42 });
    a.broadcast("news", {});
    await expect.poll(() => got).toHaveLength(1);
    const startedMs = performance.now();
    expect(await a.ask("gone", "k", {}, { timeoutMs: 100 })).toBeUndefined();
    expect(performance.now() - startedMs).toBeGreaterThan(90);
  });

  it("goes on when Redis is back", async () => {
    const own = await createRedisServer({ durable: false });
    onTestFinished(() => own.close());
    const observer = witness();
    const [a, b] = [await openReplica({ on: own, observer }), await openReplica({ on: own })];
    b.on("k", () => ({ ok: true }));
    expect(await a.ask(b.replica, "k", {}, LIMITS)).toEqual({ ok: true });
    await own.kill();
    expect(await a.ask(b.replica, "k", {}, { timeoutMs: 500 })).toBeUndefined();
    a.send(b.replica, "k", {});
    a.broadcast("k", {});
    await own.start();
    await expect.poll(() => a.ask(b.replica, "k", {}, LIMITS), { timeout: 10_000 }).toEqual({ ok: true });
  });

  it("a closed bus ends what waits, and takes nothing more", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    b.on("k", () => wait(60_000, undefined, { ref: false }) as Promise<undefined>);
    const asking = a.ask(b.replica, "k", {}, { timeoutMs: 60_000 });
    const got = collect(a, "news");
    a.close();
    expect(await asking).toBeUndefined();
    expect(await a.ask(b.replica, "k", {}, LIMITS)).toBeUndefined();
    b.send(a.replica, "news", {});
    await wait(50);
    expect(got).toEqual([]);
  });
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
