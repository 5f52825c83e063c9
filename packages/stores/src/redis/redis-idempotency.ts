import type { FoundIdempotencyState } from "@recourse/faults/server";
import {
  backgroundOf,
  DEFAULT_TTL_MS,
  type Engine,
  type SharedIdempotencyStore,
  type SharedStoreOptions,
  sharedStore,
} from "../shared/shared-store.ts";
import type { RedisClient } from "./client.ts";
import { redisScript } from "./run-script.ts";
import { SCRIPTS } from "./scripts.ts";

/** Options of `redisIdempotency`. */
export interface RedisIdempotencyOptions extends SharedStoreOptions {
  /** A connected client, pool or cluster of `@redis/client`. The store opens and closes no connections. */
  readonly client: RedisClient;
  /** What the names of all keys begin with. @default "recourse:idempotency:" */
  readonly prefix?: string;
}

/**
 * Keeps idempotency keys in Redis or Valkey, which every process shares. It holds what it promises as long as the server
 * forgets nothing: use `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`.
 *
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).connect();
 * const idempotency = redisIdempotency({ client });
 * guard(server, { idempotency });
 */
export function redisIdempotency(options: RedisIdempotencyOptions): SharedIdempotencyStore {
  return sharedStore(redisEngine(options), options, backgroundOf(options));
}

function redisEngine(options: RedisIdempotencyOptions): Engine {
  const { client, prefix = "recourse:idempotency:", ttlMs = DEFAULT_TTL_MS } = options;
  const keepMs = String(Math.ceil(ttlMs));
  const begin = redisScript(client, SCRIPTS.begin);
  const find = redisScript(client, SCRIPTS.find);
  const settle = redisScript(client, SCRIPTS.settle);
  const release = redisScript(client, SCRIPTS.release);
  return {
    async begin({ key, digest, fence, deadlineMs, honoured, mayClaim }) {
      const lease = deadlineMs === undefined ? "" : String(Math.ceil(deadlineMs));
      const flags = [honoured, mayClaim].map((flag) => (flag ? "1" : "0"));
      const reply = await begin([prefix + key], [digest, String(fence), lease, keepMs, ...flags]);
      const state = stateOf(reply);
      return state === "new" ? { state, fence } : state;
    },
    async find(key, digest) {
      const state = stateOf(await find([prefix + key], [digest]));
      if (state === "new") throw new Error(NO_STATE);
      return state;
    },
    async settle(key, fence, outcome) {
      await settle([prefix + key], [String(fence), keepMs, ...(outcome === undefined ? [] : [outcome])]);
    },
    async release(key, fence) {
      // Some clients are set to answer with other types of numbers.
      return String(await release([prefix + key], [String(fence)])) === "1";
    },
  };
}

const NO_STATE = "Redis answered with something that is not a state";

function stateOf(reply: unknown): "new" | FoundIdempotencyState {
  const [state, outcome] = Array.isArray(reply) ? (reply as unknown[]).map(textOf) : [];
  switch (state) {
    case "new":
      return state;
    case "settled":
      return { state, outcome };
    case "running":
    case "unknown":
    case "other":
    case "absent":
      return { state };
    default:
      throw new Error(NO_STATE);
  }
}

/** Some clients are set to answer with bytes. */
function textOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return typeof value === "string" ? value : undefined;
}
