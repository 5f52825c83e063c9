// Real engines with a store on each, for the tests.
import { createCluster, createTestDatabase, openPool } from "@recourse/test-kit/postgres";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import type pg from "pg";
import { createSchema, postgresIdempotency } from "../../src/postgres/index.ts";
import { redisIdempotency } from "../../src/redis/index.ts";
import type { SharedIdempotencyStore, SharedStoreOptions } from "../../src/shared/shared-store.ts";

/** The engines of the stores. */
export const ENGINES = ["postgres", "redis"] as const;
export type EngineName = (typeof ENGINES)[number];

/** For stores whose engine answers: a slow machine is not an outage. */
export const PATIENT = { timeoutMs: 60_000 } as const satisfies SharedStoreOptions;

/** A pool that waits for a connection as long as `PATIENT` says. */
export function patientPool(url: string, settings: pg.PoolConfig = {}): pg.Pool {
  return openPool(url, { connectionTimeoutMillis: PATIENT.timeoutMs, ...settings });
}

/** Connections to an engine. */
export interface Connected {
  /** A store, patient unless its options say otherwise. */
  store(options?: SharedStoreOptions): SharedIdempotencyStore;
  /** Lets time pass for all keys: they and their deadlines become so much older. */
  age(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Connects to an engine that runs, and makes the table where there is one. */
export async function connect(name: EngineName, url: string): Promise<Connected> {
  if (name === "postgres") {
    const pool = patientPool(url);
    await createSchema(pool);
    return {
      store: (options) => postgresIdempotency({ pool, ...PATIENT, ...options }),
      age: (ms) => agePostgres(pool, ms),
      close: () => pool.end(),
    };
  }
  const client = await connectRedis(url);
  return {
    store: (options) => redisIdempotency({ client, ...PATIENT, ...options }),
    age: (ms) => ageRedis(client, ms),
    close: async () => client.destroy(),
  };
}

async function agePostgres(pool: pg.Pool, ms: number): Promise<void> {
  const sql = `update recourse_idempotency
    set deadline = deadline - $1 * interval '1 ms', expires = expires - $1 * interval '1 ms'`;
  await pool.query(sql, [ms]);
}

/** Lets time pass for all keys of a server. */
export async function ageRedis(client: Awaited<ReturnType<typeof connectRedis>>, ms: number): Promise<void> {
  for (const key of await client.keys("recourse:idempotency:*")) {
    const value = (await client.get(key)) ?? "";
    const [, claim = "", deadline] = /^(r:[^:]*:\d+:)(\d+)$/.exec(value) ?? [];
    if (deadline !== undefined) await client.set(key, claim + String(Number(deadline) - ms), { KEEPTTL: true });
    const expires = await client.pExpireTime(key);
    // Negative without an expiry.
    if (expires >= 0) await client.pExpireAt(key, expires - ms);
  }
}

/** An engine of a test, which may share its server with other tests. */
export async function startEngine(name: EngineName): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (name === "redis") return createRedisServer({ durable: false });
  const database = await createTestDatabase();
  return { url: database.url, close: database.drop };
}

/** A server that a test may kill and start again. */
export interface KillableEngine {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server of its own that forgets nothing that it has answered. */
export function startKillableEngine(name: EngineName): Promise<KillableEngine> {
  return name === "redis" ? createRedisServer({ durable: true }) : createCluster();
}
