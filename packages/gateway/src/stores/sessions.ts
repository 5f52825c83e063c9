import { createHash } from "node:crypto";
import type { Redis } from "./redis.ts";

/** Sessions of upstreams that all replicas share. Redis away means: no session is known, and none is kept. */
export interface SessionStore {
  /** What was kept for a key; undefined where nothing was. */
  find(key: string): Promise<string | undefined>;
  /** Keeps a value in the place of `before`, or of nothing. Gives the value that counts: another replica may have been first. */
  keep(key: string, value: string, before: string | undefined): Promise<string>;
  /** The session is used, so it is kept longer. */
  touch(key: string): void;
  /** Forgets a value that no replica has used for a time. True where it was forgotten, so that it can be ended. */
  forget(key: string, value: string, idleMs: number): Promise<boolean>;
}

export interface SessionStoreOptions {
  readonly redis: Redis;
  /** How long a session is kept after its last use. */
  readonly ttlMs: number;
  /** Redis went away, or came back. */
  readonly onSwitch: (state: "away" | "back") => void;
}

const FIND = "return redis.call('GET', KEYS[1])";
const KEEP = `local now = redis.call('GET', KEYS[1])
if now and now ~= ARGV[2] then return now end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return ARGV[1]`;
const TOUCH = "return redis.call('PEXPIRE', KEYS[1], ARGV[1])";
const FORGET = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('PTTL', KEYS[1]) > ARGV[2] - ARGV[3] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** Sessions in Redis. No method rejects. */
export function redisSessions({ redis, ttlMs, onSwitch }: SessionStoreOptions): SessionStore {
  let isAway = false;
  async function run(script: string, key: string, ...args: string[]): Promise<unknown> {
    try {
      const answer = await redis.eval(script, { keys: [nameOf(key)], arguments: args });
      if (isAway) onSwitch("back");
      isAway = false;
      return answer;
    } catch {
      if (!isAway) onSwitch("away");
      isAway = true;
      return undefined;
    }
  }
  return {
    async find(key) {
      const found = await run(FIND, key);
      return typeof found === "string" ? found : undefined;
    },
    async keep(key, value, before) {
      const kept = await run(KEEP, key, value, before ?? "", String(ttlMs));
      return typeof kept === "string" ? kept : value;
    },
    touch(key) {
      void run(TOUCH, key, String(ttlMs));
    },
    async forget(key, value, idleMs) {
      return (await run(FORGET, key, value, String(ttlMs), String(idleMs))) === 1;
    },
  };
}

/** Keys are digests: they contain ids of callers. */
function nameOf(key: string): string {
  return `recourse:session:${createHash("sha256").update(key).digest("base64url")}`;
}
