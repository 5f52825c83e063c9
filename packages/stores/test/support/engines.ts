// Real engines with a store on each, for the tests.
import { createClient } from "@redis/client";
import pg from "pg";
import {
  createCluster,
  createRedisServer,
  createTestDatabase,
} from "../../../../reference/shared/src/testing/index.ts";
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

/** A pool whose broken connections only fail their own statements. */
export function poolOf(url: string, max = 8): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 2_000 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** A connected client of Redis that comes back after an outage. */
export async function redisOf(url: string) {
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: () => 50 } });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Connects to an engine that runs, and makes the table where there is one. */
export async function connect(name: EngineName, url: string): Promise<Connected> {
  if (name === "postgres") {
    const pool = poolOf(url);
    await createSchema(pool);
    return { store: (options) => postgresIdempotency({ pool, ...options }), close: () => pool.end() };
  }
  const client = await redisOf(url);
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
