import { randomBytes } from "node:crypto";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { createClient, createCluster, RESP_TYPES } from "@redis/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisIdempotency } from "../src/redis/index.ts";
import { ageRedis, PATIENT } from "./support/engines.ts";
import { slowLaws } from "./support/slow-time.ts";

const hex = () => randomBytes(32).toString("hex");
const DIGEST = hex();
const CLAIM = { owner: hex(), deadlineMs: 60_000, honoured: false };

describe("on one server", () => {
  let server: RedisServer;
  let client: Awaited<ReturnType<typeof connectRedis>>;
  beforeAll(async () => {
    server = await createRedisServer({ durable: false });
    client = await connectRedis(server.url);
  });
  afterAll(async () => {
    client?.destroy();
    await server?.close();
  });

  it("keys are kept for their time after the deadline, and for ever without one", async () => {
    const store = redisIdempotency({ ...PATIENT, client, prefix: "ttl:", keepMs: 1_000_000 });
    const [late, endless] = [hex(), hex()];
    const state = await store.begin(late, DIGEST, CLAIM);
    const left = await client.pTTL(`ttl:${late}`);
    expect(left).toBeGreaterThan(1_000_000);
    expect(left).toBeLessThanOrEqual(1_060_000);
    if (state.state === "new") await store.settle(late, state.fence, "{}");
    expect(await client.pTTL(`ttl:${late}`)).toBeLessThanOrEqual(1_000_000);
    await store.begin(endless, DIGEST, { ...CLAIM, deadlineMs: undefined });
    expect(await client.pTTL(`ttl:${endless}`)).toBe(-1);
  });

  it("clients may be set to answer with bytes, in either protocol", async () => {
    for (const protocol of [2, 3] as const) {
      const other = createClient({ url: server.url, RESP: protocol });
      await other.connect();
      const store = redisIdempotency({
        ...PATIENT,
        client: other.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
      });
      const key = hex();
      const state = await store.begin(key, DIGEST, CLAIM);
      if (state.state === "new") await store.settle(key, state.fence, '{"é":"😀"}');
      expect(await store.begin(key, DIGEST, CLAIM)).toEqual({ state: "settled", outcome: '{"é":"😀"}' });
      other.destroy();
    }
  });

  it("scripts are sent again to a server that does not know them", async () => {
    const store = redisIdempotency({ ...PATIENT, client });
    const key = hex();
    await client.scriptFlush();
    const state = await store.begin(key, DIGEST, CLAIM);
    await client.scriptFlush();
    if (state.state === "new") await store.settle(key, state.fence, "{}");
    await client.scriptFlush();
    expect(await store.begin(key, DIGEST, CLAIM)).toEqual({ state: "settled", outcome: "{}" });
  });

  it("other errors of the server are not hidden", async () => {
    const key = hex();
    await client.hSet(`recourse:idempotency:${key}`, "some", "thing");
    const store = redisIdempotency({ ...PATIENT, client, repeatMs: 0 });
    await expect(store.begin(key, DIGEST, CLAIM)).rejects.toThrow("WRONGTYPE");
    await store.close();
  });

  it("a server that is full refuses new keys and forgets none", async () => {
    const store = redisIdempotency({ ...PATIENT, client, repeatMs: 0 });
    const key = hex();
    await store.begin(key, DIGEST, CLAIM);
    await client.configSet("maxmemory", "1");
    await expect(store.begin(hex(), DIGEST, CLAIM)).rejects.toThrow("OOM");
    await client.configSet("maxmemory", "0");
    expect(await store.begin(key, DIGEST, CLAIM)).toEqual({ state: "running" });
    await store.close();
  });
});

describe("on a cluster", () => {
  let server: RedisServer;
  let cluster: ReturnType<typeof createCluster>;
  /** To the only node, which has all keys. */
  let client: Awaited<ReturnType<typeof connectRedis>>;
  beforeAll(async () => {
    server = await createRedisServer({ durable: false, cluster: true });
    cluster = createCluster({ rootNodes: [{ url: server.url }] });
    cluster.on("error", () => {});
    await cluster.connect();
    client = await connectRedis(server.url);
  });
  afterAll(async () => {
    client?.destroy();
    cluster?.destroy();
    await server?.close();
  });

  describe("keeps the laws", () => {
    const laws = slowLaws({
      store: (limits) => redisIdempotency({ ...PATIENT, client: cluster, ...limits }),
      age: (ms) => ageRedis(client, ms),
    });
    for (const law of laws) it(law.name, () => law.run());
  });
});
