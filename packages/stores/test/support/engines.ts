// Real engines with a store on each, for the tests.
import { createCluster, createTestDatabase, openPool } from "@recourse/test-kit/postgres";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { createSchema, postgresIdempotency } from "../../src/postgres/index.ts";
import { redisIdempotency } from "../../src/redis/index.ts";
import type { SharedIdempotencyStore, SharedStoreOptions } from "../../src/shared/shared-store.ts";

/** The engines of the stores. */
export const ENGINES = ["postgres", "redis"] as const;
export type EngineName = (typeof ENGINES)[number];

/** Connections to an engine. */
export interface Connected {
  store(options?: SharedStoreOptions): SharedIdempotencyStore;
  close(): Promise<void>;
}

/** Connects to an engine that runs, and makes the table where there is one. */
export async function connect(name: EngineName, url: string): Promise<Connected> {
  if (name === "postgres") {
    const pool = openPool(url);
    await createSchema(pool);
    return { store: (options) => postgresIdempotency({ pool, ...options }), close: () => pool.end() };
  }
  const client = await connectRedis(url);
  return { store: (options) => redisIdempotency({ client, ...options }), close: async () => client.destroy() };
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
