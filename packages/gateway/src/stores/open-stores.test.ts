import { freePort } from "@recourse/test-kit/network";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStores, type Stores } from "./open-stores.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const lines: string[] = [];
const observer = { log: (_level: string, message: string) => void lines.push(message) };
const shared = (redis: string, postgres: string, cluster = false) =>
  openStores({ store: { mode: "shared", redis: [redis], cluster, postgres } }, observer).then((stores) => {
    open.push(() => stores.close());
    return stores as Extract<Stores, { mode: "shared" }>;
  });

it("memory needs nothing, and says so", async () => {
  const stores = await openStores({ store: { mode: "memory" } }, observer);
  expect(stores.mode).toBe("memory");
  expect(lines.at(-1)).toMatch(/memory of this process/);
  await stores.close();
});

describe("shared", () => {
  let redis: RedisServer;
  let database: TestDatabase;
  beforeAll(async () => {
    [redis, database] = await Promise.all([createRedisServer({ durable: false }), createTestDatabase()]);
  });
  afterAll(async () => {
    await redis.close();
    await database.drop();
  });

  it("opens both engines", async () => {
    const stores = await shared(redis.url, database.url);
    await expect(stores.redis.eval("return 1", { keys: ["k"], arguments: [] })).resolves.toBe(1);
    await expect(stores.pool.query("select 1 as one")).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  it("opens a cluster", async () => {
    const node = await createRedisServer({ durable: false, cluster: true });
    open.push(() => node.close());
    const stores = await shared(node.url, database.url, true);
    await expect(stores.redis.eval("return KEYS[1]", { keys: ["k"], arguments: [] })).resolves.toBe("k");
  });

  it("a command fails at once while Redis is away, and works when it is back", async () => {
    const stores = await shared(redis.url, database.url);
    const one = () => stores.redis.eval("return 1", { keys: ["k"], arguments: [] });
    await redis.kill();
    await expect.poll(() => one().catch(() => "away")).toBe("away");
    await redis.start();
    await expect.poll(() => one().catch(() => "away")).toBe(1);
  });

  it("says which engine is away, without its credentials", async () => {
    const port = await freePort();
    const refused = shared(`redis://user:hunter2@127.0.0.1:${port}`, database.url);
    await expect(refused).rejects.toThrow(`Redis at 127.0.0.1:${port} cannot be used: nothing listens there.`);
    const secret = `postgres://postgres:hunter2@127.0.0.1:${port}/x`;
    const missing = await shared(redis.url, secret).catch((error: unknown) => error);
    expect(String(missing)).toBe(
      `StoreUnavailableError: PostgreSQL at 127.0.0.1:${port} cannot be used: nothing listens there.`,
    );
    const none = new URL(database.url);
    none.pathname = "/does_not_exist";
    await expect(shared(redis.url, none.href)).rejects.toThrow("there is no such database");
  });

  it("a password that Redis does not accept", async () => {
    const url = new URL(redis.url);
    url.username = "somebody";
    url.password = "hunter2";
    const failed = await shared(url.href, database.url).catch((error: unknown) => error);
    expect(String(failed)).toMatch(/does not accept the password/);
    expect(String(failed)).not.toContain("hunter2");
  });
});
