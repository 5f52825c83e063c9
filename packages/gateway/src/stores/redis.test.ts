import { eventually } from "@recourse/test-kit/eventually";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { hasOneServer, type OpenRedis, openRedis, redisSessions } from "./redis.ts";

let server: RedisServer;
let opened: OpenRedis;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
  opened = await openRedis({ urls: [server.url], cluster: false, onError: () => {} });
});
afterAll(async () => {
  opened.close();
  await server.close();
});

// Time passes only if the test says so: no command is late on a slow machine. What Redis does goes on.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const switches: string[] = [];
const sessions = () =>
  redisSessions({ redis: opened.redis, ttlMs: 60_000, onSwitch: (state) => void switches.push(state) });

it("the first of two replicas counts, and a replacement only of what was there", async () => {
  const store = sessions();
  expect(await store.find("k")).toBeUndefined();
  expect(await store.keep("k", "one", undefined)).toBe("one");
  expect(await store.keep("k", "two", undefined)).toBe("one");
  expect(await store.keep("k", "three", "one")).toBe("three");
  expect(await store.keep("k", "four", "one")).toBe("three");
  expect(await store.find("k")).toBe("three");
});

it("keys do not contain what they were made of, and go away by themselves", async () => {
  await sessions().keep("secret caller", "x", undefined);
  const keys = (await opened.redis.eval("return redis.call('KEYS', '*')", { keys: [], arguments: [] })) as string[];
  expect(keys.join()).not.toContain("secret");
  for (const key of keys) {
    const left = await opened.redis.eval("return redis.call('PTTL', KEYS[1])", { keys: [key], arguments: [] });
    expect(left).toBeGreaterThan(0);
  }
});

it("forgets only what nobody has used", async () => {
  const store = sessions();
  await store.keep("idle", "x", undefined);
  expect(await store.forget("idle", "x", 30_000)).toBe(false);
  expect(await store.forget("idle", "y", 0)).toBe(false);
  expect(await store.forget("idle", "x", 0)).toBe(true);
  expect(await store.find("idle")).toBeUndefined();
});

it("knows one server from a node of a cluster, and from a proxy in front of several", async () => {
  expect(opened.redis.isOneServer).toBe(true);
  vi.useRealTimers();
  const node = await createRedisServer({ durable: false, cluster: true });
  onTestFinished(() => node.close());
  const other = await openRedis({ urls: [node.url], cluster: false, onError: () => {} });
  onTestFinished(other.close);
  expect(other.redis.isOneServer).toBe(false);
  const second = await createRedisServer({ durable: false });
  onTestFinished(() => second.close());
  const { redis, close } = await openRedis({ urls: [second.url], cluster: false, onError: () => {} });
  onTestFinished(close);
  const divided: typeof redis.eval = (script, options) =>
    (options.keys[0]?.endsWith("7") === true ? redis : opened.redis).eval(script, options);
  expect(await hasOneServer(divided)).toBe(false);
  expect(await hasOneServer(() => Promise.reject(new Error("NOPERM")))).toBe(false);
});

it("a Redis that reads and does not answer is away, within the time of a command", async () => {
  const own: string[] = [];
  const store = redisSessions({ redis: opened.redis, ttlMs: 60_000, onSwitch: (state) => own.push(state) });
  await store.keep("silent", "one", undefined);
  const operator = await connectRedis(server.url);
  await operator.sendCommand(["CLIENT", "PAUSE", "600000", "WRITE"]);
  onTestFinished(async () => {
    await operator.sendCommand(["CLIENT", "UNPAUSE"]);
    operator.destroy();
  });
  const late = Promise.all([store.find("silent"), opened.redis.publish("channel", "hello")]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await late).toEqual([undefined, "failed"]);
  expect(own).toEqual(["away"]);
});

it("goes on without Redis, and says so once", async () => {
  const store = sessions();
  await store.keep("a", "one", undefined);
  await server.kill();
  await eventually(async () => expect(await store.find("a")).toBeUndefined());
  expect(await store.keep("a", "two", undefined)).toBe("two");
  store.touch("a");
  expect(await store.forget("a", "two", 0)).toBe(false);
  expect(switches).toEqual(["away"]);
  await server.start();
  await eventually(async () => {
    // The client waits before it connects again.
    await vi.advanceTimersByTimeAsync(500);
    await store.find("a");
    expect(switches).toEqual(["away", "back"]);
  });
});
