import { randomBytes } from "node:crypto";
import { type IdempotencyStore, memoryIdempotency } from "@recourse/core/server";
import { createSchema, postgresIdempotency } from "@recourse/stores/postgres";
import { redisIdempotency } from "@recourse/stores/redis";
import { openPool } from "@recourse/test-kit/postgres";
import { connectRedis } from "@recourse/test-kit/redis";
import type { Setup, Subject } from "./measure.ts";

/** The most connections of one process. */
const MAX_CONNECTIONS = 16;
const NO_LIMIT = { maxKeysPerCaller: Number.POSITIVE_INFINITY };
const OUTCOME = JSON.stringify({ result: { content: [{ type: "text", text: "x".repeat(450) }] } });
const hex = () => randomBytes(32).toString("hex");
const OWNER = hex();
const DIGEST = hex();

interface Callable {
  call(): Promise<unknown>;
  close(): Promise<void>;
}

/** Makes the tables. */
export async function prepare({ postgres }: Setup): Promise<void> {
  const pool = openPool(postgres, { max: 1 });
  await createSchema(pool);
  await pool.query("create table bare (key bytea primary key, value text not null)");
  await pool.end();
}

/** One call of what is measured. */
export async function callOf(subject: Subject, { postgres, redis }: Setup, atATime: number): Promise<Callable> {
  if (subject === "memory")
    return {
      call: keyed(memoryIdempotency({ maxKeys: 1e9, maxKeysPerCaller: Number.POSITIVE_INFINITY })),
      close: async () => {},
    };
  if (subject === "bare INSERT" || subject === "PostgreSQL") {
    const pool = openPool(postgres, { max: Math.min(atATime, MAX_CONNECTIONS) });
    const text = "insert into bare values ($1, $2)";
    const insert = () => pool.query({ name: "bare", text, values: [`\\x${hex()}`, OUTCOME] });
    const call = subject === "PostgreSQL" ? keyed(postgresIdempotency({ pool, ...NO_LIMIT })) : insert;
    return { call, close: () => pool.end() };
  }
  const client = await connectRedis(redis);
  const set = () => client.set(`bare:${hex()}`, OUTCOME, { expiration: { type: "PX", value: 3_600_000 } });
  return {
    call: subject === "Redis" ? keyed(redisIdempotency({ client, ...NO_LIMIT })) : set,
    close: async () => client.destroy(),
  };
}

/** How many bytes a key with its outcome takes in each engine. */
export async function sizes({
  postgres,
  redis,
}: Setup): Promise<{ readonly postgres: number; readonly redis: number }> {
  const pool = openPool(postgres, { max: 1 });
  const sql =
    "select pg_total_relation_size('recourse_idempotency') / count(*)::float8 as bytes from recourse_idempotency";
  const { rows } = await pool.query<{ bytes: number }>(sql);
  await pool.end();
  const client = await connectRedis(redis);
  const key = hex();
  const store = redisIdempotency({ client, prefix: "size:" });
  const state = await store.begin(key, DIGEST, { owner: OWNER, deadlineMs: 60_000, honoured: false });
  if (state.state === "new") await store.settle(key, state.fence, OUTCOME);
  const bytes = await client.memoryUsage(`size:${key}`);
  client.destroy();
  return { postgres: Math.round(rows[0]?.bytes ?? 0), redis: bytes ?? 0 };
}

/** What a keyed call asks of its store. */
function keyed(store: IdempotencyStore): () => Promise<void> {
  return async () => {
    const key = hex();
    const state = await store.begin(key, DIGEST, { owner: OWNER, deadlineMs: 60_000, honoured: false });
    if (state.state !== "new") throw new Error(`the key is ${state.state}`);
    await store.settle(key, state.fence, OUTCOME);
  };
}
