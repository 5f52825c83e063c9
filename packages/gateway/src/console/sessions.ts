import { sha256OfList } from "../call/binding.ts";
import type { AdminConfig, AdminRole, ConsoleConfig } from "../config/types.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import { type ConsoleSession, type SessionKey, sealSession, unsealSession } from "./session-cookie.ts";

/** The line of an operator in the file. */
export type OperatorLine = AdminConfig["keys"][number];

/** What sessions need. */
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

/** A session that counts. */
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

  /** Begins a session for an operator of the file. */
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
