import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenRedis, openRedis, redisSessions } from "./redis.ts";

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

it("goes on without Redis, and says so once", async () => {
  const store = sessions();
  await store.keep("a", "one", undefined);
  await server.kill();
  await expect.poll(() => store.find("a")).toBeUndefined();
  expect(await store.keep("a", "two", undefined)).toBe("two");
  store.touch("a");
  expect(await store.forget("a", "two", 0)).toBe(false);
  expect(switches).toEqual(["away"]);
  await server.start();
  await expect.poll(() => store.find("a").then(() => switches)).toEqual(["away", "back"]);
});
