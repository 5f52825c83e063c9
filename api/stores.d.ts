// The public API of @recourse/stores, written by `npm run build && node scripts/api-report.ts`.

// @recourse/stores/postgres
//   CloseOptions
//   DeleteExpiredOptions
//   HoldOptions
//   PostgresIdempotencyOptions
//   PostgresPool
//   PostgresQuery
//   PostgresResult
//   SharedIdempotencyStore
//   SharedStoreOptions
//   TableOptions
//   createSchema
//   deleteExpired
//   holdKeys
//   isDataError
//   postgresIdempotency
//   readHold
//   schemaSql

// @recourse/stores/redis
//   CloseOptions
//   LimitAnswer
//   LimitAway
//   LimitBucket
//   LimitClaim
//   LimitRefused
//   LimitShortage
//   LimitTaken
//   Limits
//   MemoryLimitsOptions
//   RedisClient
//   RedisIdempotencyOptions
//   RedisLimitsOptions
//   RedisScriptOptions
//   RunScript
//   SharedIdempotencyStore
//   SharedStoreOptions
//   memoryLimits
//   redisIdempotency
//   redisLimits
//   redisScript

import { ExtendableIdempotencyStore } from "@recourse/core/server";
import { TestingOptions } from "@recourse/core/wire";
interface SharedStoreOptions {
  readonly keepMs?: number;
  readonly maxOutcomeLength?: number;
  readonly maxKeysPerCaller?: number;
  readonly keyWindowMs?: number;
  readonly timeoutMs?: number;
  readonly repeatMs?: number;
}
interface CloseOptions {
  readonly signal?: AbortSignal;
}
interface SharedIdempotencyStore extends ExtendableIdempotencyStore {
  close(options?: CloseOptions): Promise<void>;
}
interface PostgresQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
  readonly query_timeout?: number;
}
interface PostgresResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}
interface PostgresPool {
  query(query: PostgresQuery): Promise<PostgresResult>;
}
declare function isDataError(error: unknown): boolean;
interface TableOptions {
  readonly table?: string;
}
declare function schemaSql(options?: TableOptions): string;
declare function createSchema(pool: PostgresPool, options?: TableOptions): Promise<void>;
interface PostgresIdempotencyOptions extends SharedStoreOptions, TableOptions {
  readonly pool: PostgresPool;
  readonly prepare?: boolean;
  readonly deleteEveryMs?: number;
}
declare function postgresIdempotency(options: PostgresIdempotencyOptions): SharedIdempotencyStore;
interface DeleteExpiredOptions extends TableOptions {
  readonly batch?: number;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}
declare function deleteExpired(pool: PostgresPool, options?: DeleteExpiredOptions): Promise<number>;
interface HoldOptions extends TableOptions {
  readonly until: Date;
}
declare function holdKeys(pool: PostgresPool, {
  until,
  ...table
}: HoldOptions): Promise<void>;
declare function readHold(pool: PostgresPool, table?: TableOptions): Promise<Date | undefined>;
interface RedisScriptOptions {
  readonly keys: string[];
  readonly arguments: string[];
}
interface RedisClient {
  evalSha(sha1: string, options: RedisScriptOptions): Promise<unknown>;
  eval(script: string, options: RedisScriptOptions): Promise<unknown>;
}
type RunScript = (keys: string[], args: string[]) => Promise<unknown>;
declare function redisScript(client: RedisClient, script: string): RunScript;
interface LimitBucket {
  readonly id: string;
  readonly group: string;
  readonly perSecond: number;
  readonly burst: number;
}
interface LimitClaim {
  readonly bucket: LimitBucket;
  readonly cost: number;
}
interface LimitTaken {
  readonly ok: true;
  readonly takenAtUs: number | undefined;
  giveBack(): void;
}
interface LimitShortage {
  readonly bucket: LimitBucket;
  readonly waitMs: number;
}
interface LimitRefused {
  readonly ok: false;
  readonly away: false;
  readonly waitMs: number;
  readonly short: readonly [LimitShortage, ...LimitShortage[]];
}
interface LimitAway {
  readonly ok: false;
  readonly away: true;
  readonly cause: unknown;
}
type LimitAnswer = LimitTaken | LimitRefused | LimitAway;
interface Limits {
  take(claims: readonly LimitClaim[]): LimitAnswer | Promise<LimitAnswer>;
  readonly isAway: boolean;
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
interface MemoryLimitsOptions {
  readonly testing?: TestingOptions;
}
declare function memoryLimits({
  testing
}?: MemoryLimitsOptions): Limits;
interface RedisLimitsOptions {
  readonly client: RedisClient;
  readonly replica?: string;
  readonly prefix?: string;
  readonly mode?: "leased" | "exact";
  readonly oneServer?: boolean;
  readonly timeoutMs?: number;
  readonly onSwitch?: (state: "away" | "back", cause: unknown) => void;
  readonly testing?: TestingOptions;
}
declare function redisLimits(options: RedisLimitsOptions): Limits;
interface RedisIdempotencyOptions extends SharedStoreOptions {
  readonly client: RedisClient;
  readonly prefix?: string;
}
declare function redisIdempotency(options: RedisIdempotencyOptions): SharedIdempotencyStore;
