import { core, transport } from "@recourse/core/reasons";
import { ABORTED, arrayAt, parseJson, race, sleep, TIMED_OUT } from "@recourse/core/wire";
import { type Abilities, EVERY_ABILITY, NO_ABILITIES, toFlags } from "../../call/abilities.ts";
import type { Holder } from "../../call/caller.ts";
import { upstreamHolder } from "../../limits/shares.ts";
import type { SessionStore } from "../../stores/redis.ts";
import { UNSENT_BY_GATEWAY } from "../message.ts";
import type { HttpChannel } from "./channel.ts";
import { isSessionId, type NegotiationFailure, type OpenSession } from "./negotiate.ts";

export class UpstreamSession implements OpenSession {
  readonly id: string | undefined;
  readonly version: string;
  readonly holder: Holder;
  usedMs: number;
  touchedMs: number;
  /**
   * The connections for what goes out for its caller beside its calls. Undefined if the session is not that of one
   * caller.
   */
  channel: HttpChannel | undefined = undefined;
  /** The log level that it was sent last. */
  logLevel: string | undefined = undefined;
  #lastId: number;

  constructor({ id, version }: OpenSession, { holder, firstId, nowMs }: SessionStart) {
    this.id = id;
    this.version = version;
    this.holder = holder;
    this.usedMs = nowMs;
    this.touchedMs = nowMs;
    this.#lastId = firstId;
  }

  /** An id for a message, as JSON: never the same twice in one session. */
  nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }
}

interface SessionStart {
  readonly holder: Holder;
  /** Its ids of messages are higher than this. */
  readonly firstId: number;
  readonly nowMs: number;
}

export interface SessionPoolOptions {
  readonly open: (abilities: Abilities, wait: SessionWait) => Promise<OpenSession | NegotiationFailure>;
  readonly end: (session: OpenSession) => Promise<void>;
  /** Shares sessions with other replicas. */
  readonly store: SessionStore | undefined;
  readonly name: string;
  readonly maxSessions: number;
  /** Sessions that are not used for this long are ended. */
  readonly idleMs: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
  /** Below which number no other replica mints ids. */
  readonly idBase: number;
  /** Whether a session is in use although no message was sent in it for long. @default none is */
  readonly isBusy?: (key: string) => boolean;
  /** A session was given up. @default nobody has to know */
  readonly onGone?: (key: string) => void;
}

/** Who asks for a session, and how long it waits. */
export interface SessionWait {
  readonly holder: Holder;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What the caller of the session can be asked. The same key has always the same. @default nothing */
  readonly abilities?: Abilities | undefined;
  /** The token of the caller that one for the upstream is made from: the session is opened in its name. @default none */
  readonly subjectToken?: string | undefined;
}

const TOUCH_MS = 60_000;
/** Sessions that are ended at one time. */
const MAX_ENDING = 16;
const SPARE_FLAGS = toFlags(EVERY_ABILITY);

/** The sessions of an upstream, one for each key and never shared. An upstream without sessions has one for all. */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #sessions = new Map<string, Promise<UpstreamSession | NegotiationFailure> | UpstreamSession>();
  /** Opened by the negotiation with every ability, and used by nobody yet. */
  #spare: OpenSession | undefined;
  /** Set while the upstream has no sessions. */
  #stateless: UpstreamSession | undefined = undefined;

  constructor(options: SessionPoolOptions, spare: OpenSession) {
    this.#options = options;
    if (spare.id === undefined) this.#stateless = this.#begin(spare, upstreamHolder(options.name));
    else this.#spare = spare;
  }

  /** The session of a key: one that is known, or a new one. */
  get(key: string, wait: SessionWait): UpstreamSession | Promise<UpstreamSession | NegotiationFailure> {
    if (this.#stateless !== undefined) return this.#stateless;
    const known = this.#sessions.get(key);
    if (known instanceof UpstreamSession) {
      this.#use(key, known);
      return known;
    }
    return raceSession(known ?? this.#start(key, wait, undefined), wait);
  }

  /** The session of a key if one exists, here or at another replica. None is opened. */
  async find(key: string, wait: SessionWait): Promise<UpstreamSession | NegotiationFailure | undefined> {
    const known = this.#stateless ?? this.#sessions.get(key);
    if (known !== undefined) return known instanceof UpstreamSession ? known : raceSession(known, wait);
    return this.#findShared(key, wait.holder);
  }

  /** The upstream does not know a session any more: another replica's, or a new one. */
  renew(key: string, gone: UpstreamSession, wait: SessionWait): Promise<UpstreamSession | NegotiationFailure> {
    if (this.#stateless === gone) this.#stateless = undefined;
    const known = this.#stateless ?? this.#sessions.get(key);
    if (known !== undefined && known !== gone) return raceSession(Promise.resolve(known), wait);
    return raceSession(this.#start(key, wait, gone), wait);
  }

  /** Ends the session of a key, even if another replica has opened it. */
  async drop(key: string, holder: Holder): Promise<void> {
    const { store, name, onGone } = this.#options;
    const known = this.#sessions.get(key);
    // One that is just being opened is ended as soon as it is there.
    const session = known instanceof UpstreamSession ? known : await (known ?? this.#findShared(key, holder));
    if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    onGone?.(key);
    if (!(session instanceof UpstreamSession) || session.id === undefined) return;
    await store?.forget(`${name}\n${key}`, writeSession(session), 0);
    await this.#endAll([session]);
  }

  async #findShared(key: string, holder: Holder): Promise<UpstreamSession | undefined> {
    const { store, name } = this.#options;
    const found = await store?.find(`${name}\n${key}`);
    const session = found === undefined ? undefined : readSession(found);
    return session === undefined ? undefined : this.#begin(session, holder);
  }

  /** Ends the sessions that only this replica knows, as far as the time allows. */
  async close(): Promise<void> {
    const { store } = this.#options;
    const spare = this.#spare;
    this.#spare = undefined;
    const open: OpenSession[] = spare === undefined ? [] : [spare];
    if (store === undefined)
      for (const one of this.#sessions.values()) if (one instanceof UpstreamSession) open.push(one);
    this.#sessions.clear();
    await this.#endAll(open);
  }

  #start(
    key: string,
    wait: SessionWait,
    gone: UpstreamSession | undefined,
  ): Promise<UpstreamSession | NegotiationFailure> {
    const started = this.#open(key, wait, gone).then((session) => {
      // A failure is not kept: the next message tries again.
      if (!(session instanceof UpstreamSession) || session.id === undefined) this.#sessions.delete(key);
      else this.#sessions.set(key, session);
      return session;
    });
    this.#sessions.set(key, started);
    if (this.#sessions.size > this.#options.maxSessions) this.sweep();
    return started;
  }

  async #open(
    key: string,
    wait: SessionWait,
    gone: UpstreamSession | undefined,
  ): Promise<UpstreamSession | NegotiationFailure> {
    const { store, name, open, end } = this.#options;
    const { holder, abilities = NO_ABILITIES, subjectToken } = wait;
    const shared = `${name}\n${key}`;
    const found = await store?.find(shared);
    const before = found === undefined ? undefined : readSession(found);
    if (before !== undefined && before.id !== gone?.id) return this.#begin(before, holder);
    // The upstream would otherwise ask for what this caller cannot be asked, or take it for the gateway.
    const isSpareFit = gone === undefined && subjectToken === undefined && toFlags(abilities) === SPARE_FLAGS;
    const spare = isSpareFit ? this.#spare : undefined;
    if (spare !== undefined) this.#spare = undefined;
    const opened = spare ?? (await open(abilities, wait));
    if ("fault" in opened) return opened;
    if (opened.id === undefined) {
      this.#stateless = this.#begin(opened, holder);
      return this.#stateless;
    }
    const value = writeSession(opened);
    // A store that was too late to find the session that is gone may still keep it.
    const replaced = found ?? (gone === undefined ? undefined : writeSession(gone));
    const kept = (await store?.keep(shared, value, replaced)) ?? value;
    if (kept === value) return this.#begin(opened, holder);
    void end(opened);
    return this.#begin(readSession(kept) ?? opened, holder);
  }

  #begin(session: OpenSession, holder: Holder): UpstreamSession {
    const { idBase, now } = this.#options;
    return new UpstreamSession(session, { holder, firstId: idBase, nowMs: now() });
  }

  #use(key: string, session: UpstreamSession): void {
    const { now, store, name } = this.#options;
    session.usedMs = now();
    if (store === undefined || session.usedMs - session.touchedMs < TOUCH_MS) return;
    session.touchedMs = session.usedMs;
    store.touch(`${name}\n${key}`);
  }

  /** Ends what was not used for long; if there are too many, the longest unused of those who have the most. */
  sweep(): void {
    const { now, idleMs, maxSessions, isBusy, onGone } = this.#options;
    const nowMs = now();
    const all = [...this.#sessions].filter((entry): entry is OpenEntry => entry[1] instanceof UpstreamSession);
    for (const [key, session] of all) if (isBusy?.(key) === true) this.#use(key, session);
    const idle = all.filter(([, { usedMs }]) => nowMs - usedMs >= idleMs);
    // A tenth at once, so that a full map is not sorted for each new session.
    const tooMany = this.#sessions.size > maxSessions ? Math.ceil(maxSessions / 10) - idle.length : 0;
    const rest = all.filter(([, { usedMs }]) => nowMs - usedMs < idleMs);
    const gone = [...idle, ...fromTheLargest(rest, tooMany)];
    for (const [key] of gone) {
      this.#sessions.delete(key);
      onGone?.(key);
    }
    void this.#forget(gone);
  }

  async #forget(gone: readonly (readonly [string, UpstreamSession])[]): Promise<void> {
    const { store, name, idleMs } = this.#options;
    const ended: UpstreamSession[] = [];
    for (const [key, session] of gone) {
      const value = writeSession(session);
      if (store === undefined || (await store.forget(`${name}\n${key}`, value, idleMs))) ended.push(session);
    }
    await this.#endAll(ended);
  }

  async #endAll(sessions: readonly OpenSession[]): Promise<void> {
    const left = [...sessions];
    const next = async (): Promise<void> => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) await this.#options.end(one);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_ENDING, left.length) }, next));
  }
}

type OpenEntry = [string, UpstreamSession];

/**
 * Takes that many entries, each from the tenant that has the most, there from the caller that has the most, and of those the
 * longest unused: who opens many sessions ends its own, never those of others.
 */
function fromTheLargest(entries: readonly OpenEntry[], count: number): readonly OpenEntry[] {
  if (count <= 0) return [];
  const byUse = entries.toSorted(([, one], [, other]) => other.usedMs - one.usedMs);
  const tenants = [...Map.groupBy(byUse, ([, { holder }]) => holder.tenant).values()];
  return level(tenants, count).flatMap(({ group, excess }) => {
    const callers = [...Map.groupBy(group, ([, { holder }]) => holder.id).values()];
    return level(callers, excess).flatMap((one) => one.group.slice(one.group.length - one.excess));
  });
}

/** How much to take from each group so that the largest become equal, `count` in all. */
function level<T>(groups: readonly (readonly T[])[], count: number): { group: readonly T[]; excess: number }[] {
  const sorted = groups.toSorted((one, other) => other.length - one.length);
  let sum = 0;
  let members = 0;
  // As many of the largest as have to give something.
  for (const { length } of sorted) {
    if (members > 0 && sum - members * length >= count) break;
    sum += length;
    members += 1;
  }
  const height = Math.max(0, Math.floor((sum - count) / Math.max(1, members)));
  let left = count;
  return sorted.slice(0, members).map((group) => {
    const excess = Math.max(0, Math.min(left, group.length - height));
    left -= excess;
    return { group, excess };
  });
}

function writeSession({ id, version }: OpenSession): string {
  return JSON.stringify([id, version]);
}

/** A session as another replica kept it. */
function readSession(text: string): OpenSession | undefined {
  const [id, version] = arrayAt({ kept: parseJson(text) }, "kept");
  return isSessionId(id) && isSessionId(version) ? { id, version } : undefined;
}

async function raceSession(
  work: Promise<UpstreamSession | NegotiationFailure>,
  { signal, timeoutMs }: SessionWait,
): Promise<UpstreamSession | NegotiationFailure> {
  const ended = await race(work, { signal, ms: timeoutMs, sleep });
  if (ended === TIMED_OUT) return { fault: transport.not_sent.fault({}, UNSENT_BY_GATEWAY), cause: undefined };
  if (ended === ABORTED) return { fault: core.cancelled.fault({}, UNSENT_BY_GATEWAY), cause: undefined };
  return ended;
}
