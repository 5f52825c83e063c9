import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { readSubjectToken } from "../auth/authenticator.ts";
import type { Call } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { Observer } from "../call/observer.ts";
import { upstreamSessionKey } from "../call/session.ts";
import { FairPool } from "../limits/fair-pool.ts";
import { upstreamHolder } from "../limits/shares.ts";
import type { MergedLists } from "./merged.ts";
import { OwnLists, type OwnRead } from "./own-lists.ts";
import {
  LIST_METHODS,
  type ListEntry,
  type ListMethod,
  type ListOutcome,
  type ListSender,
  type ReadBounds,
  readList,
} from "./read-list.ts";
import type { Lists, RefreshTimes, UpstreamLists } from "./upstream-lists.ts";

export interface CallerListBounds {
  /** Callers whose lists are kept; each session counts as one. Those that were not used for longest go first. */
  readonly callers: number;
  readonly sessionsOfCaller: number;
  /** Bytes of all lists together, about. */
  readonly bytes: number;
  readonly reads: number;
}

const CALLER_LIST_BOUNDS: CallerListBounds = {
  callers: 1_000,
  sessionsOfCaller: 16,
  bytes: 64 * 1_024 * 1_024,
  reads: 256,
};

/** How much of one list is read for one caller. */
const CALLER_READ_BOUNDS: ReadBounds = { pages: 20, entries: 2_000, bytes: 2 * 1_024 * 1_024, timeMs: 10_000 };

/** The pause after a failure doubles so often. */
const MAX_DOUBLINGS = 3;
/** One upstream causes a line in the log no more often than this. */
const LOG_PAUSE_MS = 60_000;
/** Lists that change while they are read are read once more, not again and again. */
const MAX_ATTEMPTS = 2;

export interface CallerListsOptions {
  readonly client: { readonly name: string; readonly version: string };
  readonly observer: Pick<Observer, "log" | "unexpected">;
  /** Monotonic time in ms. */
  readonly now: () => number;
  readonly times: RefreshTimes;
  readonly merge: (lists: ReadonlyMap<UpstreamLists, Lists>) => MergedLists;
  readonly onNotification: (lists: UpstreamLists, message: Buffer, session: string) => void;
  /** @default 1,000 callers, 16 sessions of each, 64 MiB, 256 readings */
  readonly bounds?: Partial<CallerListBounds> | undefined;
  /** @default 20 pages, 2,000 entries, 2 MiB, 10 seconds */
  readonly readBounds?: ReadBounds | undefined;
}

/**
 * The lists of upstreams that list for each caller: read when a call needs them, as the caller, and kept for that caller alone.
 * Nothing is read without a call.
 */
export class CallerLists {
  readonly #options: CallerListsOptions;
  readonly #bounds: CallerListBounds;
  readonly #pool: FairPool;
  readonly #closing = new AbortController();
  /** By session and rights of a caller. The one that was used last is last. */
  readonly #kept = new Map<string, OwnLists>();
  readonly #keysOfCaller = new Map<string, Set<string>>();
  /** A call keeps what was read for it, even if others have pushed it out meanwhile. */
  readonly #ofCall = new WeakMap<Call, OwnLists>();
  readonly #rights = new WeakMap<Caller, string>();
  readonly #loggedMs = new Map<UpstreamLists, number>();
  #bytes = 0;

  constructor(options: CallerListsOptions) {
    this.#options = options;
    this.#bounds = { ...CALLER_LIST_BOUNDS, ...options.bounds };
    this.#pool = new FairPool({ capacity: this.#bounds.reads, least: 4, now: options.now });
  }

  get size(): number {
    return this.#kept.size;
  }

  /** About how many bytes are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What the caller of a call has been listed; undefined if nothing is kept. */
  find(call: Call): OwnLists | undefined {
    const mine = this.#ofCall.get(call);
    if (mine !== undefined) return mine;
    const key = this.#keyFor(call);
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#touch(key, kept);
    return kept;
  }

  /**
   * Reads the lists of an upstream for the caller of a call. Calls share a reading that is under way. Undefined if
   * there is nothing to wait for: they are fresh, could not be read a moment ago, or the caller reads too much already.
   */
  read(
    call: Call,
    lists: UpstreamLists,
    { isUnknown = false }: { readonly isUnknown?: boolean } = {},
  ): Promise<void> | undefined {
    const { caller } = call;
    if (caller === undefined || this.#closing.signal.aborted) return undefined;
    const own = this.#take(call, caller);
    const underWay = own.reading.get(lists);
    if (underWay !== undefined) return underWay;
    const before = own.find(lists);
    if (before !== undefined) {
      const ageMs = this.#options.now() - before.readMs;
      if (!isUnknown || before.failures > 0 || ageMs < this.#options.times.demandMs) return undefined;
    }
    if (!this.#pool.take(caller, 1)) return undefined;
    const reading = this.#fill(own, lists, call)
      .catch((error: unknown) => this.#options.observer.unexpected(error, "lists of a caller"))
      .finally(() => {
        own.reading.delete(lists);
        this.#pool.give(caller, 1);
      });
    own.reading.set(lists, reading);
    return reading;
  }

  /** The lists of an upstream have changed: for one of its sessions, or for all callers. */
  forget(lists: UpstreamLists, session?: string): void {
    for (const own of this.#kept.values()) {
      if (session !== undefined && own.session !== session) continue;
      this.#bytes -= own.bytes;
      own.forget(lists);
      this.#bytes += own.bytes;
    }
  }

  close(): void {
    this.#closing.abort();
    this.#kept.clear();
    this.#keysOfCaller.clear();
    this.#bytes = 0;
  }

  async #fill(own: OwnLists, lists: UpstreamLists, call: Call): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      own.outdated.delete(lists);
      const read = await this.#readAll(own, lists, call);
      if (this.#closing.signal.aborted) return;
      this.#store(own, lists, read);
      if (!own.outdated.has(lists)) return;
    }
  }

  async #readAll(own: OwnLists, lists: UpstreamLists, call: Call): Promise<OwnRead> {
    const { client, now, times, readBounds = CALLER_READ_BOUNDS, onNotification } = this.#options;
    const { signal } = this.#closing;
    const { upstream } = lists;
    const readMs = now();
    const failures = own.failuresAt(lists);
    const era = await upstream.ready(signal);
    const offered = LIST_METHODS.filter((method) => lists.offers(method));
    if (typeof era !== "string") {
      this.#logFailure(lists, era.reason);
      return { lists: NO_LISTS, faults: faultsFor(LIST_METHODS, era), ...this.#failedUntil(failures), readMs };
    }
    const shown: string[] = [];
    const sender = senderFor(call, lists, (token) => void shown.push(token));
    const bounds = { ...readBounds, timeMs: Math.min(readBounds.timeMs, upstream.options.timeoutMs) };
    const notify = (message: Buffer) => onNotification(lists, message, own.session);
    const outcomes = await Promise.all(
      offered.map((method) =>
        readList({ upstream, method, era, client, bounds, now, signal, sender, onNotification: notify }),
      ),
    );
    const found: Record<ListMethod, readonly ListEntry[]> = { ...NO_LISTS };
    const faults = new Map<ListMethod, Fault>();
    let ttlMs = times.maxMs;
    for (const [at, outcome] of outcomes.entries()) {
      const method = offered[at] as ListMethod;
      if (outcome.kind === "read") {
        // A token that an upstream shows in its list is not for the caller.
        found[method] = outcome.entries.filter(({ text }) => !shown.some((token) => text.includes(token)));
        ttlMs = Math.min(ttlMs, outcome.ttlMs ?? times.defaultMs);
      } else {
        faults.set(method, readListFault(outcome));
        this.#logFailure(lists, outcome.why);
      }
    }
    if (faults.size > 0) return { lists: found, faults, ...this.#failedUntil(failures), readMs };
    return { lists: found, faults, expiresMs: now() + Math.max(times.demandMs, ttlMs), failures: 0, readMs };
  }

  /** A failure counts for a while, so that callers who repeat their calls do not make the upstream list each time. */
  #failedUntil(before: number): Pick<OwnRead, "expiresMs" | "failures"> {
    const { now, times } = this.#options;
    const pauseMs = times.demandMs * 2 ** Math.min(before, MAX_DOUBLINGS);
    return { expiresMs: now() + pauseMs, failures: before + 1 };
  }

  #store(own: OwnLists, lists: UpstreamLists, read: OwnRead): void {
    const isKept = this.#kept.get(own.key) === own;
    const before = own.bytes;
    own.store(lists, read);
    if (!isKept) return;
    this.#bytes += own.bytes - before;
    this.#shrink();
  }

  #take(call: Call, caller: Caller): OwnLists {
    const found = this.find(call);
    if (found !== undefined) {
      this.#ofCall.set(call, found);
      return found;
    }
    const key = this.#keyFor(call);
    const { now, merge } = this.#options;
    const own = new OwnLists({ key, session: upstreamSessionKey(call), callerId: caller.id, now, merge });
    this.#ofCall.set(call, own);
    this.#kept.set(key, own);
    const keys = this.#keysOfCaller.get(caller.id) ?? new Set();
    this.#keysOfCaller.set(caller.id, keys.add(key));
    // One caller with many sessions pushes out its own, not those of others.
    for (const oldest of keys) {
      if (keys.size <= this.#bounds.sessionsOfCaller) break;
      this.#drop(oldest);
    }
    this.#shrink();
    return own;
  }

  #touch(key: string, own: OwnLists): void {
    this.#kept.delete(key);
    this.#kept.set(key, own);
    const keys = this.#keysOfCaller.get(own.callerId);
    keys?.delete(key);
    keys?.add(key);
  }

  #shrink(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#bounds.callers && this.#bytes <= this.#bounds.bytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const own = this.#kept.get(key);
    if (own === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= own.bytes;
    const keys = this.#keysOfCaller.get(own.callerId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOfCaller.delete(own.callerId);
  }

  /** Tokens of one person with other scopes may be listed something else, and the rules may hide something else from them. */
  #keyFor(call: Call): string {
    const { caller } = call;
    const session = upstreamSessionKey(call);
    if (caller === undefined) return session;
    let rights = this.#rights.get(caller);
    if (rights === undefined) {
      const { scopes, entitlements, tools } = caller;
      rights = JSON.stringify([[...scopes].toSorted(), [...entitlements].toSorted(), tools]);
      this.#rights.set(caller, rights);
    }
    return `${session}\n${rights}`;
  }

  #logFailure(lists: UpstreamLists, why: string): void {
    const { now, observer } = this.#options;
    if (this.#closing.signal.aborted || now() - (this.#loggedMs.get(lists) ?? Number.NEGATIVE_INFINITY) < LOG_PAUSE_MS)
      return;
    this.#loggedMs.set(lists, now());
    observer.log("warn", "The lists of an upstream could not be read for a caller", {
      upstream: lists.upstream.options.name,
      why,
    });
  }
}

const NO_LISTS: Lists = { "tools/list": [], "prompts/list": [], "resources/list": [], "resources/templates/list": [] };

/** The reader of the lists: the same session, the same credential as in the caller's calls. */
function senderFor(call: Call, { upstream }: UpstreamLists, onCredential: (token: string) => void): ListSender {
  return {
    session: upstreamSessionKey(call),
    caller: call.caller ?? upstreamHolder(upstream.options.name),
    abilities: call.abilities,
    logLevel: call.logLevel,
    subjectToken: readSubjectToken(call, upstream.options),
    onCredential,
  };
}

function faultsFor(methods: readonly ListMethod[], fault: Fault): ReadonlyMap<ListMethod, Fault> {
  return new Map(methods.map((method) => [method, fault]));
}

/** Nothing of the caller's own message was sent. */
function readListFault(outcome: Extract<ListOutcome, { readonly kind: "failed" }>): Fault {
  const { fault } = outcome;
  return fault.effect === "none" ? fault : core.unavailable.fault({}, { effect: "none" });
}
