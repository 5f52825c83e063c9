// One key per claim, so that every script works on a cluster. Its value is text, since that takes the least memory:
//   r:<digest>:<fence>:<deadline in ms, or nothing>   the call runs
//   s:<digest>:<outcome>                              it has ended
//   n:<digest>:                                       it has ended, and its outcome was too long

import type { FoundIdempotencyState } from "@recourse/core/server";
import {
  createBackground,
  DEFAULT_KEEP_MS,
  type Engine,
  type SharedIdempotencyStore,
  type SharedStoreOptions,
  sharedStore,
} from "../shared/shared-store.ts";
import { type RedisClient, redisScript } from "./client.ts";

const READ = `
local value = redis.call('GET', KEYS[1])
local state, digest, rest
if value then state, digest, rest = string.match(value, '^(%a):([^:]*):(.*)$') end
`;

/** The server's clock, in ms. */
const SERVER_TIME_MS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Whether the running claim is the one with the fence in ARGV[1]. */
const IS_MINE = `state == 'r' and string.match(rest, '^(%d+):') == ARGV[1]`;

/**
 * What is known about the key; ARGV[1] is the digest. Continues if the key is not known, or if it is unknown how it
 * ended.
 */
const LOOK = `${READ}
local fence, till
if value then
  if digest ~= ARGV[1] then return { 'other' } end
  if state == 's' then return { 'settled', rest } end
  if state == 'n' then return { 'settled' } end
  fence, till = string.match(rest, '^(%d+):(.*)$')`;

/** Continues if the deadline of the claim is over. */
const IS_RUNNING = `${SERVER_TIME_MS}
  if till == '' or now < tonumber(till) then return { 'running' } end`;

/** The scripts. They answer with one of the words of `IdempotencyState`. */
const SCRIPTS = {
  // ARGV: digest, fence, lease in ms or nothing, ms to keep it after that, honoured (1 or 0), whether it may be claimed
  begin: `${LOOK}
  -- The client has sent the same claim twice.
  if fence == ARGV[2] then return { 'new' } end
  ${IS_RUNNING}
  if ARGV[5] ~= '1' then return { 'unknown' } end
elseif ARGV[6] ~= '1' then return { 'absent' } end
local claim = 'r:' .. ARGV[1] .. ':' .. ARGV[2] .. ':'
if ARGV[3] == '' then redis.call('SET', KEYS[1], claim) else
  ${SERVER_TIME_MS}
  local till = now + tonumber(ARGV[3])
  redis.call('SET', KEYS[1], claim .. string.format('%.0f', till), 'PXAT', string.format('%.0f', till + tonumber(ARGV[4])))
end
-- A key that was known until here had an unknown outcome.
if value then return { 'new', 'taken over' } end
return { 'new' }`,
  // ARGV: digest
  find: `${LOOK}
  ${IS_RUNNING}
  return { 'unknown' }
end
return { 'absent' }`,
  // ARGV: fence, ms to keep it, outcome or nothing
  settle: `${READ}
if ${IS_MINE} then
  local text = ARGV[3] and ('s:' .. digest .. ':' .. ARGV[3]) or ('n:' .. digest .. ':')
  redis.call('SET', KEYS[1], text, 'PX', ARGV[2])
end`,
  // ARGV: fence. Answers with 1 if it was claimed.
  release: `${READ}
if ${IS_MINE} then return redis.call('DEL', KEYS[1]) end
return 0`,
  // ARGV: fence, lease in ms or nothing, ms to keep it after that. Answers with 1 if it is still claimed.
  extend: `${READ}
if not (${IS_MINE}) then return 0 end
local claim = 'r:' .. digest .. ':' .. ARGV[1] .. ':'
if ARGV[2] == '' then redis.call('SET', KEYS[1], claim) else
  ${SERVER_TIME_MS}
  local till = now + tonumber(ARGV[2])
  redis.call('SET', KEYS[1], claim .. string.format('%.0f', till), 'PXAT', string.format('%.0f', till + tonumber(ARGV[3])))
end
return 1`,
} as const satisfies Record<string, string>;

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
 * const store = redisIdempotency({ client });
 * guard(server, { idempotency: { store } });
 */
export function redisIdempotency(options: RedisIdempotencyOptions): SharedIdempotencyStore {
  return sharedStore(redisEngine(options), options, createBackground(options));
}

function redisEngine(options: RedisIdempotencyOptions): Engine {
  const { client, prefix = "recourse:idempotency:", keepMs = DEFAULT_KEEP_MS } = options;
  const keptFor = String(Math.ceil(keepMs));
  const begin = redisScript(client, SCRIPTS.begin);
  const find = redisScript(client, SCRIPTS.find);
  const settle = redisScript(client, SCRIPTS.settle);
  const release = redisScript(client, SCRIPTS.release);
  const extend = redisScript(client, SCRIPTS.extend);
  return {
    async begin({ key, digest, fence, deadlineMs, honoured, mayClaim }) {
      const lease = deadlineMs === undefined ? "" : String(Math.ceil(deadlineMs));
      const flags = [honoured, mayClaim].map((flag) => (flag ? "1" : "0"));
      const reply = await begin([prefix + key], [digest, String(fence), lease, keptFor, ...flags]);
      const state = readState(reply);
      const isTakenOver = Array.isArray(reply) && reply.length > 1;
      return state === "new" ? { state, fence, ...(isTakenOver && { isTakenOver }) } : state;
    },
    async find(key, digest) {
      const state = readState(await find([prefix + key], [digest]));
      if (state === "new") throw new Error(NO_STATE);
      return state;
    },
    async settle(key, fence, outcome) {
      await settle([prefix + key], [String(fence), keptFor, ...(outcome === undefined ? [] : [outcome])]);
    },
    async release(key, fence) {
      // Some clients are set to answer with other types of numbers.
      return String(await release([prefix + key], [String(fence)])) === "1";
    },
    async extend(key, fence, deadlineMs) {
      const lease = deadlineMs === undefined ? "" : String(Math.ceil(deadlineMs));
      return String(await extend([prefix + key], [String(fence), lease, keptFor])) === "1";
    },
  };
}

const NO_STATE = "Redis answered with something that is not a state";

function readState(reply: unknown): "new" | FoundIdempotencyState {
  const [state, outcome] = Array.isArray(reply) ? (reply as unknown[]).map(replyText) : [];
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
function replyText(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return typeof value === "string" ? value : undefined;
}
