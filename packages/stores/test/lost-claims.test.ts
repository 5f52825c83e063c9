// A claim is made after its caller was refused: it has to be given back, however late it comes.
import { randomBytes } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSchema, postgresIdempotency } from "../src/postgres/index.ts";
import { type RedisClient, redisIdempotency } from "../src/redis/index.ts";
import { PATIENT, patientPool } from "./support/engines.ts";

const hex = () => randomBytes(32).toString("hex");
const DIGEST = hex();
const CLAIM = { owner: hex(), deadlineMs: 600_000, honoured: false };

describe("on PostgreSQL", () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof patientPool>;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = patientPool(database.url);
    await createSchema(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it("a claim that waits for another transaction is given back when it is made", async () => {
    const key = hex();
    const other = await pool.connect();
    await other.query("begin");
    const pid = (await other.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
    const sql = `insert into recourse_idempotency (key, digest, owner, fence, deadline, expires)
      values ($1, '', '', 1, 'infinity', 'infinity')`;
    await other.query(sql, [Buffer.from(key, "hex")]);
    const sent: string[] = [];
    const watched = {
      query: async (query: Parameters<typeof pool.query>[0] & { readonly text: string }) => {
        const result = await pool.query(query);
        sent.push(query.text);
        return result;
      },
    };
    const store = postgresIdempotency({ pool: watched as never, timeoutMs: 300 });
    await expect(store.begin(key, DIGEST, CLAIM)).rejects.toThrow();
    // It is given back before it is made, which changes nothing.
    await expect.poll(() => sent.some((text) => text.includes("delete"))).toBe(true);
    const waiting = async () => {
      const sql = "select from pg_stat_activity where query like '%insert into%' and state = 'active' and pid <> $1";
      return (await pool.query(`${sql} and pid <> pg_backend_pid() and datname = current_database()`, [pid])).rowCount;
    };
    await expect.poll(waiting).toBe(1);
    await other.query("rollback");
    other.release();
    await expect.poll(waiting).toBe(0);
    const rows = () => pool.query("select 1 from recourse_idempotency where key = $1", [Buffer.from(key, "hex")]);
    await expect.poll(async () => (await rows()).rowCount).toBe(0);
    await expect.poll(async () => (await store.begin(key, DIGEST, CLAIM)).state).toBe("new");
    await store.close();
  });
});

describe("on Redis", () => {
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

  it("a claim on a slow connection is given back when it is made", async () => {
    const gate = Promise.withResolvers<void>();
    const gaveBack = Promise.withResolvers<void>();
    let calls = 0;
    // As a pool of connections does, of which one is slow.
    const slow: RedisClient = {
      evalSha: async (sha1, options) => {
        calls += 1;
        if (calls === 1) await gate.promise;
        return client.evalSha(sha1, options);
      },
      eval: async (script, options) => {
        const reply = await client.eval(script, options);
        if (script.includes("DEL")) gaveBack.resolve();
        return reply;
      },
    };
    const store = redisIdempotency({ client: slow, timeoutMs: 300 });
    const key = hex();
    await expect(store.begin(key, DIGEST, CLAIM)).rejects.toThrow();
    await gaveBack.promise;
    gate.resolve();
    await expect.poll(async () => (await store.begin(key, DIGEST, CLAIM)).state).toBe("new");
    await store.close();
  });

  it("a take-over whose answer was lost is given back, also of a caller without a share", async () => {
    let isLost = false;
    const lossy: RedisClient = {
      evalSha: async (sha1, options) => {
        const reply = await client.evalSha(sha1, options);
        if (isLost && Array.isArray(reply) && reply[0] === "new") throw new Error("Socket closed unexpectedly");
        return reply;
      },
      eval: (script, options) => client.eval(script, options),
    };
    const store = redisIdempotency({ ...PATIENT, client: lossy, maxKeysPerCaller: 1, keepMs: 1_000_000 });
    const key = hex();
    const honoured = { ...CLAIM, honoured: true };
    expect(await store.begin(key, DIGEST, { ...honoured, deadlineMs: 0 })).toMatchObject({ state: "new" });
    isLost = true;
    await expect.poll(() => store.begin(key, DIGEST, honoured).catch(String)).toContain("Socket closed");
    isLost = false;
    await expect.poll(() => client.exists(`recourse:idempotency:${key}`)).toBe(0);
    await store.close();
  });

  it("a claim that the client sends twice is still its own", async () => {
    // As the client of a sentinel does when its connection breaks.
    const twice: RedisClient = {
      evalSha: async (sha1, options) => {
        await client.evalSha(sha1, options);
        return client.evalSha(sha1, options);
      },
      eval: (script, options) => client.eval(script, options),
    };
    const store = redisIdempotency({ ...PATIENT, client: twice });
    const key = hex();
    expect(await store.begin(key, DIGEST, CLAIM)).toMatchObject({ state: "new" });
    expect(await store.begin(key, DIGEST, CLAIM)).toEqual({ state: "running" });
    await store.close();
  });
});
