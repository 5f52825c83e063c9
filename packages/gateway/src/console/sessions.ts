import { BoundedMap } from "../auth/credential-cache.ts";
import { sha256Hex, sha256OfList } from "../call/binding.ts";
import type { AdminConfig, AdminRole, ConsoleConfig } from "../config/types.ts";
import type { Redis } from "../stores/redis.ts";
import { type ConsoleSession, type SessionKey, sealSession, unsealSession } from "./session-cookie.ts";

export type OperatorLine = AdminConfig["keys"][number];

interface SessionsOptions extends Pick<ConsoleConfig, "idleMs" | "longestMs"> {
  /** Asked each time: a new name ends all sessions. */
  readonly key: () => SessionKey;
  /** The operators of the file. Asked each time: one that is gone is signed out at once. */
  readonly operators: () => readonly OperatorLine[];
  readonly ended: EndedSessions;
  /** Clock in ms since 1970. */
  readonly now: () => number;
  readonly createSessionId: () => string;
}

export interface ActiveSession {
  /** The id of the operator's key. */
  readonly operator: string;
  readonly role: AdminRole;
  /** When it ends at the latest, in ms since 1970. */
  readonly endsMs: number;
  /** The cookie that it continues with; undefined if the one that was sent is fresh enough. */
  readonly renewed: string | undefined;
}

/** By how much the clocks of two processes may differ. */
const CLOCK_SKEW_MS = 60_000;

/** Sessions of operators in browsers. */
export class ConsoleSessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  begin(line: OperatorLine): ActiveSession & { readonly renewed: string } {
    const { key, longestMs, now, createSessionId } = this.#options;
    const { id: operator, role } = line;
    const startedMs = now();
    const session = { operator, line: digestLine(line), role, startedMs, seenMs: startedMs, id: createSessionId() };
    return { operator, role, endsMs: startedMs + longestMs, renewed: sealSession(session, key()) };
  }

  /** The session of a cookie, if it counts. It never rejects. */
  async find(cookie: string): Promise<ActiveSession | undefined> {
    const { key, idleMs, longestMs, ended, now } = this.#options;
    const session = unsealSession(cookie, key());
    if (session === undefined || !this.#isOpen(session) || (await ended.has(session.id))) return undefined;
    const { operator, role, startedMs, seenMs } = session;
    const isOld = now() - seenMs >= idleMs / 2;
    const renewed = isOld ? sealSession({ ...session, seenMs: now() }, key()) : undefined;
    return { operator, role, endsMs: startedMs + longestMs, renewed };
  }

  /** Ends the session of a cookie. Gives the operator who was signed in; undefined if nobody was. It never rejects. */
  async end(cookie: string): Promise<string | undefined> {
    const { key, longestMs, ended, now } = this.#options;
    const session = unsealSession(cookie, key());
    if (session === undefined || !this.#isOpen(session) || (await ended.has(session.id))) return undefined;
    await ended.add(session.id, session.startedMs + longestMs - now());
    return session.operator;
  }

  /** Whether the times of a session and the line of its operator still fit. */
  #isOpen({ operator, line, role, startedMs, seenMs }: ConsoleSession): boolean {
    const { idleMs, longestMs, now, operators } = this.#options;
    const at = now();
    if (at - seenMs >= idleMs || at - startedMs >= longestMs) return false;
    if (seenMs - at > CLOCK_SKEW_MS || startedMs > seenMs) return false;
    return operators().some((one) => one.id === operator && one.role === role && digestLine(one) === line);
  }
}

/** Digest of an operator's line. It is no secret, and nothing is signed with it. */
function digestLine({ id, sha256, role }: OperatorLine): string {
  return sha256OfList([id, sha256, role]);
}

/** Sessions that were ended by a sign-out. Best effort: while Redis is down, only this process knows. */
export interface EndedSessions {
  /** Remembers a session until it would have ended by itself. It never rejects. */
  add(id: string, restMs: number): Promise<void>;
  /** It never rejects. */
  has(id: string): Promise<boolean>;
}

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
