// Idempotency keys and limits in Redis.

export type { CloseOptions, SharedIdempotencyStore, SharedStoreOptions } from "../shared/shared-store.ts";
export type { RedisClient, RedisScriptOptions } from "./client.ts";
export { type RunScript, redisScript } from "./client.ts";
export type {
  LimitAnswer,
  LimitAway,
  LimitBucket,
  LimitClaim,
  LimitRefused,
  LimitShortage,
  Limits,
  LimitTaken,
} from "./limits/contract.ts";
export { type MemoryLimitsOptions, memoryLimits } from "./limits/memory-limits.ts";
export { type RedisLimitsOptions, redisLimits } from "./limits/redis-limits.ts";
export { type RedisIdempotencyOptions, redisIdempotency } from "./redis-idempotency.ts";
