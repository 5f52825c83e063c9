// Idempotency keys in PostgreSQL.

export type { CloseOptions, SharedIdempotencyStore, SharedStoreOptions } from "../shared/shared-store.ts";
export { isDataError } from "./data-error.ts";
export { type DeleteExpiredOptions, deleteExpired } from "./delete-expired.ts";
export type { PostgresPool, PostgresQuery, PostgresResult } from "./pool.ts";
export { type PostgresIdempotencyOptions, postgresIdempotency } from "./postgres-idempotency.ts";
export { createSchema, schemaSql, type TableOptions } from "./schema.ts";
