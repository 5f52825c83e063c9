// Idempotency keys in Redis.

export type { CloseOptions, SharedIdempotencyStore, SharedStoreOptions } from "../shared/shared-store.ts";
export type { RedisClient, RedisScriptOptions } from "./client.ts";
export { type RedisIdempotencyOptions, redisIdempotency } from "./redis-idempotency.ts";
