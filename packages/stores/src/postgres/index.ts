// Idempotency keys in PostgreSQL.

export type { CloseOptions, SharedIdempotencyStore, SharedStoreOptions } from "../shared/shared-store.ts";
export type { PostgresPool, PostgresQuery, PostgresResult } from "./pool.ts";
export { isDataError } from "./pool.ts";
export {
  type DeleteExpiredOptions,
  deleteExpired,
  type HoldOptions,
  holdKeys,
  type PostgresIdempotencyOptions,
  postgresIdempotency,
  readHold,
} from "./postgres-idempotency.ts";
export { createSchema, schemaSql, type TableOptions } from "./schema.ts";
