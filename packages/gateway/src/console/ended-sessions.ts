import { BoundedMap } from "../auth/credential-cache.ts";
import { sha256Hex } from "../call/binding.ts";
import type { Redis } from "../stores/redis.ts";

/** Sessions that were ended by a sign-out. Best effort: while Redis is down, only this process knows. */
export interface EndedSessions {
  /** Remembers a session until it would have ended by itself. It never rejects. */
  add(id: string, restMs: number): Promise<void>;
  /** It never rejects. */
  has(id: string): Promise<boolean>;
}

/** What ended sessions are kept with. */
interface EndedSessionsOptions {
  /** Tells the other processes. @default there are none */
  readonly redis?: Pick<Redis, "eval"> | undefined;
  /** Monotonic clock in ms. */
  readonly monotonic: () => number;
}

/** How many sessions are remembered in this process. */
const MAX_ENDED = 10_000;
/** A session that Redis did not know is not asked for again for this long: a sign-out elsewhere counts after it. */
const FOUND_OPEN_MS = 2_000;

const ADD_ENDED = "return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])";
const HAS_ENDED = "return redis.call('EXISTS', KEYS[1])";

/** Keeps ended sessions in this process and, if there is one, in Redis. */
export function createEndedSessions({ redis, monotonic }: EndedSessionsOptions): EndedSessions {
  const ended = new BoundedMap<true>(MAX_ENDED);
  /** When each session was last found to be open. */
  const open = new BoundedMap<number>(MAX_ENDED);
  const ask = (script: string, id: string, ...args: string[]) =>
    redis?.eval(script, { keys: [`recourse:console-ended:${sha256Hex(id)}`], arguments: args }).catch(() => undefined);
  return {
    async add(id, restMs) {
      ended.set(id, true);
      await ask(ADD_ENDED, id, String(Math.max(1, Math.ceil(restMs))));
    },
    async has(id) {
      if (ended.get(id) === true) return true;
      const now = monotonic();
      if (redis === undefined || now - (open.get(id) ?? Number.NEGATIVE_INFINITY) < FOUND_OPEN_MS) return false;
      open.set(id, now);
      const isEnded = (await ask(HAS_ENDED, id)) === 1;
      if (isEnded) ended.set(id, true);
      return isEnded;
    },
  };
}
