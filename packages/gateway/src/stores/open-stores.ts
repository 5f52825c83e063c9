import type { Pool } from "pg";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { openPostgres } from "./postgres.ts";
import { openRedis, type Redis } from "./redis.ts";
import { timedRedis } from "./timed-stores.ts";

/** Where the gateway keeps what outlives a call: in this process, or in engines that all replicas share. */
export type Stores =
  | { readonly mode: "memory"; close(): Promise<void> }
  | { readonly mode: "shared"; readonly redis: Redis; readonly pool: Pool; close(): Promise<void> };

/** Opens the stores of a configuration. It rejects if one cannot be used, with a message for the operator. */
export async function openStores(
  { store }: Pick<GatewayConfig, "store">,
  observer: Pick<Observer, "log" | "storeAnswered">,
): Promise<Stores> {
  if (store.mode === "memory") {
    observer.log(
      "info",
      "The store is the memory of this process: limits, sessions and keys are not shared with others.",
    );
    return { mode: "memory", close: () => Promise.resolve() };
  }
  const opened = await Promise.allSettled([
    openRedis({
      urls: store.redis,
      cluster: store.cluster,
      onError: (error) => observer.log("warn", "A connection to Redis failed.", { code: readErrorCode(error) }),
    }),
    openPostgres(
      store.postgres,
      (error) => observer.log("warn", "A connection to PostgreSQL failed.", { code: readErrorCode(error) }),
      { onAnswered: (op, durationMs) => observer.storeAnswered?.("postgres", op, durationMs) },
    ),
  ]);
  const [redis, postgres] = opened;
  if (redis.status === "rejected" || postgres.status === "rejected") {
    if (redis.status === "fulfilled") redis.value.close();
    if (postgres.status === "fulfilled") await postgres.value.close();
    throw opened.find((one) => one.status === "rejected")?.reason;
  }
  return {
    mode: "shared",
    redis: timedRedis(redis.value.redis, (op, durationMs) => observer.storeAnswered?.("redis", op, durationMs)),
    pool: postgres.value.pool,
    async close() {
      redis.value.close();
      await postgres.value.close();
    },
  };
}

/** The code of an error only: its text may contain addresses. */
function readErrorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}
