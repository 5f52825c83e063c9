import { createHash } from "node:crypto";
import { race, sleep, stringAt } from "@recourse/core/wire";
import { BoundedMap } from "../auth/credential-cache.ts";
import type { CallerClient } from "../call/call.ts";
import type { Holder } from "../call/caller.ts";
import { inBackground, type Observer, runGuarded } from "../call/observer.ts";
import type { CallerSession } from "../call/session.ts";
import type { Redis } from "../stores/redis.ts";
import type { ReplicaBus } from "../stores/replica-bus.ts";
import { StateMap } from "./state-map.ts";

/** What has become of a session since it was opened. It cannot stand in its id. */
export interface SessionState {
  readonly isEnded: boolean;
  readonly level: string | undefined;
}

type StateStores = { readonly mode: "memory" } | { readonly mode: "shared"; readonly redis: Redis };

interface SessionStatesOptions {
  readonly stores: StateStores;
  readonly bus: Pick<ReplicaBus, "on" | "broadcast">;
  readonly observer: Pick<Observer, "unexpected">;
  readonly now?: () => number;
  readonly monotonic?: () => number;
  readonly maxSessions?: number;
}

/** The state of most sessions. */
const UNCHANGED: SessionState = { isEnded: false, level: undefined };

const MAX_KNOWN_SESSIONS = 50_000;
/** How long a state counts before it is read again, in the background. */
const FRESH_STATE_MS = 60_000;
/** The same if Redis did not answer. */
const UNREAD_STATE_MS = 1_000;
const STATE_READ_MS = 100;

const SESSION_CHANGED = "session.changed";
const SESSION_CLIENT = "session.client";
/** How many sessions the clients are known of. They are for operators only, so the oldest are simply forgotten. */
const MAX_KNOWN_CLIENTS = 20_000;

const READ_SESSION_STATE = "return redis.call('HMGET', KEYS[1], 'ended', 'level')";
const WRITE_STATE = `redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

interface KnownState {
  isEnded: boolean;
  level: string | undefined;
  /** How often it was changed here or by another replica. */
  changes: number;
  /** Monotonic time from which it has to be read again. */
  freshUntilMs: number;
  /** The first read, while it is under way. */
  reading: Promise<SessionState> | undefined;
}

type StateChange = { readonly ended: true } | { readonly level: string };

/** Runs when a session has ended, here or at another replica. */
type SessionEnd = (nonce: string) => void;

/**
 * The states of sessions: in Redis, where all replicas share them, and in memory, so that a session that is known costs
 * no waiting. Changes are sent to the other replicas at once. If Redis is down, nothing is known. No method rejects.
 */
export class SessionStates {
  readonly #options: Required<SessionStatesOptions>;
  readonly #redis: Redis | undefined;
  readonly #known: StateMap<KnownState>;
  readonly #clients = new BoundedMap<CallerClient>(MAX_KNOWN_CLIENTS);
  readonly #onEnd: SessionEnd[] = [];

  constructor(options: SessionStatesOptions) {
    const { stores, maxSessions = MAX_KNOWN_SESSIONS } = options;
    this.#options = { now: Date.now, monotonic: () => performance.now(), maxSessions, ...options };
    this.#redis = stores.mode === "shared" ? stores.redis : undefined;
    this.#known = new StateMap(maxSessions);
    options.bus.on(SESSION_CHANGED, (body) => {
      const [nonce, level] = [stringAt(body, "nonce"), stringAt(body, "level")];
      if (nonce !== undefined) this.#hear(nonce, level === undefined ? { ended: true } : { level });
      return undefined;
    });
    options.bus.on(SESSION_CLIENT, (body) => {
      const [nonce, name, version] = [stringAt(body, "nonce"), stringAt(body, "name"), stringAt(body, "version")];
      if (nonce !== undefined && name !== undefined) this.#clients.set(nonce, { name, version });
      return undefined;
    });
  }

  /** Runs something for each session that ends, at this replica or another. */
  onEnd(run: SessionEnd): void {
    this.#onEnd.push(run);
  }

  /** A session was opened by this process: nothing has become of it yet, so nothing is to be read. */
  begin({ id }: Pick<Holder, "id">, { nonce }: Pick<CallerSession, "nonce">, client?: CallerClient): void {
    if (client !== undefined) this.#clients.set(nonce, client);
    if (this.#redis === undefined) return;
    if (client !== undefined) {
      const { name, version } = client;
      this.#options.bus.broadcast(SESSION_CLIENT, { nonce, name, ...(version !== undefined && { version }) });
    }
    const freshUntilMs = this.#options.monotonic() + FRESH_STATE_MS;
    this.#known.set(id, nonce, { ...UNCHANGED, changes: 0, freshUntilMs, reading: undefined });
  }

  /** What the client of a session said about itself; undefined if this process has not seen it, or long ago. */
  clientOf({ nonce }: Pick<CallerSession, "nonce">): CallerClient | undefined {
    return this.#clients.get(nonce);
  }

  /** The state of a session. It waits only if this process sees the session for the first time. */
  find(caller: Pick<Holder, "id">, { nonce }: Pick<CallerSession, "nonce">): SessionState | Promise<SessionState> {
    const known = this.#known.get(nonce);
    if (known === undefined) return this.#redis === undefined ? UNCHANGED : this.#readFirst(caller, nonce, this.#redis);
    if (known.reading !== undefined) return known.reading;
    if (this.#redis !== undefined && known.freshUntilMs <= this.#options.monotonic()) {
      inBackground("session", this.#options.observer, this.#read(known, nonce, this.#redis));
      // The newest of its caller, since it is in use.
      this.#known.set(caller.id, nonce, known);
    }
    return known;
  }

  setLevel(caller: Pick<Holder, "id">, session: CallerSession, level: string): Promise<void> {
    return this.#change(caller, session, { level });
  }

  end(caller: Pick<Holder, "id">, session: CallerSession): Promise<void> {
    return this.#change(caller, session, { ended: true });
  }

  async #change({ id }: Pick<Holder, "id">, session: CallerSession, change: StateChange): Promise<void> {
    const { nonce, expiresMs } = session;
    if (this.#known.get(nonce) === undefined) {
      this.#known.set(id, nonce, { ...UNCHANGED, changes: 0, freshUntilMs: 0, reading: undefined });
    }
    this.#hear(nonce, change);
    if (this.#redis === undefined) return;
    const leftMs = String(Math.max(1, Math.ceil(expiresMs - this.#options.now())));
    const [field, value] = "ended" in change ? ["ended", "1"] : ["level", change.level];
    const options = { keys: [stateKey(nonce)], arguments: [field, value, leftMs] };
    // Who reads after the message finds the change; who has read before hears it.
    await ask(() => this.#redis?.eval(WRITE_STATE, options));
    this.#options.bus.broadcast(SESSION_CHANGED, "ended" in change ? { nonce } : { nonce, level: change.level });
  }

  #hear(nonce: string, change: StateChange): void {
    const known = this.#known.get(nonce);
    const isOver = known?.isEnded === true;
    if (known !== undefined) {
      known.changes += 1;
      if ("ended" in change) known.isEnded = true;
      else known.level = change.level;
    }
    if (!("ended" in change) || isOver) return;
    for (const run of this.#onEnd) runGuarded("end of a session", this.#options.observer, () => run(nonce));
  }

  #readFirst({ id }: Pick<Holder, "id">, nonce: string, redis: Redis): Promise<SessionState> {
    const known: KnownState = { ...UNCHANGED, changes: 0, freshUntilMs: 0, reading: undefined };
    const reading = this.#read(known, nonce, redis).then(() => {
      known.reading = undefined;
      return known;
    });
    known.reading = reading;
    this.#known.set(id, nonce, known);
    return reading;
  }

  async #read(known: KnownState, nonce: string, redis: Redis): Promise<void> {
    const { monotonic } = this.#options;
    const { changes } = known;
    // One read at a time.
    known.freshUntilMs = Number.POSITIVE_INFINITY;
    const found = await ask(() => redis.eval(READ_SESSION_STATE, { keys: [stateKey(nonce)], arguments: [] }));
    known.freshUntilMs = monotonic() + (found === undefined ? UNREAD_STATE_MS : FRESH_STATE_MS);
    // What was heard meanwhile is newer.
    if (!Array.isArray(found) || known.changes !== changes) return;
    const [ended, level] = found as readonly unknown[];
    if (ended === "1") known.isEnded = true;
    if (typeof level === "string") known.level = level;
  }
}

/** What Redis answers; undefined if it does not answer in time. */
async function ask(question: () => Promise<unknown> | undefined): Promise<unknown> {
  try {
    const answer = await race(Promise.resolve(question()), { ms: STATE_READ_MS, sleep });
    return typeof answer === "symbol" ? undefined : answer;
  } catch {
    return undefined;
  }
}

function stateKey(nonce: string): string {
  return `recourse:caller-session:${createHash("sha256").update(nonce).digest("base64url")}`;
}
