import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import type { Engines } from "./config.ts";

/** Databases that a Redis server has unless its configuration says otherwise. */
const PER_REDIS = 16;

/** Engines for gateways that must not share anything: a database of Redis and one of PostgreSQL for each. */
export class EnginePool {
  readonly #redis: RedisServer[] = [];
  readonly #databases: Awaited<ReturnType<typeof createTestDatabase>>[] = [];

  async next(): Promise<Engines> {
    const at = this.#databases.length % PER_REDIS;
    if (at === 0) this.#redis.push(await createRedisServer({ durable: false }));
    const database = await createTestDatabase();
    this.#databases.push(database);
    return { redis: `${this.#redis.at(-1)?.url}/${at}`, postgres: database.url };
  }

  async close(): Promise<void> {
    for (const redis of this.#redis) await redis.close();
    for (const database of this.#databases) await database.drop();
  }
}
