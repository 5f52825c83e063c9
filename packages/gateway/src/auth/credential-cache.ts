import type { Fault } from "@recourse/core";
import { auth, core } from "@recourse/core/reasons";
import type { Caller } from "../call/caller.ts";
import { isSameCaller } from "./callers.ts";

/**
 * The one refusal. Missing, malformed, unknown, revoked and expired credentials, a wrong audience and a bad signature all end
 * with this value, so that no answer says why.
 */
export const UNAUTHORIZED: Fault = auth.unauthorized.fault();

/** The answer if the caller cannot be identified. It is never a refusal: the credential may be good. */
const CALLER_UNDECIDED: Fault = core.unavailable.fault({}, { effect: "none", afterMs: 1_000 });

export interface AuthClock {
  /** Time of day in ms, for dates of expiry. */
  readonly now: () => number;
  /** Monotonic time in ms, for ages. */
  readonly elapsed: () => number;
}

export const SYSTEM_CLOCK: AuthClock = { now: () => Date.now(), elapsed: () => performance.now() };

export interface ConfirmedCredential {
  readonly caller: Caller;
  readonly expiresMs: number;
}

interface CacheOptions {
  /** Finds the owner of a credential; undefined if it is not good. It rejects if that cannot be determined. */
  readonly look: (credential: string) => Promise<ConfirmedCredential | undefined>;
  /** How long a credential is accepted without being looked up again. */
  readonly freshMs: number;
  /** The age from which an accepted credential is looked up again in the background. */
  readonly refreshMs: number;
  readonly concurrency: number;
  readonly clock: AuthClock;
}

interface KnownCredential extends ConfirmedCredential {
  /** Monotonic time before the look-up that confirmed it. */
  readonly confirmedMs: number;
}

const MAX_KNOWN_CREDENTIALS = 50_000;
const MAX_REFUSED = 50_000;
const MAX_WAITING_LOOKUPS = 256;
/** Short, so that a new key works soon after a first attempt that came too early. */
const REFUSED_MS = 2_000;

/** Remembers which credentials are good and, for a moment, which are not. Keys of its maps are digests, never credentials. */
export class CredentialCache {
  readonly #options: CacheOptions;
  readonly #known = new BoundedMap<KnownCredential>(MAX_KNOWN_CREDENTIALS);
  /** Monotonic times up to which credentials are refused from memory. */
  readonly #refused = new BoundedMap<number>(MAX_REFUSED);
  readonly #looking = new Map<string, Promise<Caller | Fault>>();
  readonly #semaphore: LookupSemaphore;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#semaphore = new LookupSemaphore({ max: options.concurrency, maxWaiting: MAX_WAITING_LOOKUPS });
  }

  /** The owner of a credential, or the answer to give. It waits only for what is not in memory. */
  find(credential: string, digest: string): Caller | Fault | Promise<Caller | Fault> {
    const { freshMs, refreshMs, clock } = this.#options;
    const known = this.#known.get(digest);
    if (known !== undefined) {
      if (known.expiresMs <= clock.now()) return this.#refuse(digest);
      const age = clock.elapsed() - known.confirmedMs;
      if (age < freshMs) {
        if (age >= refreshMs && !this.#looking.has(digest)) void this.#lookOnce(credential, digest);
        return known.caller;
      }
    } else if (clock.elapsed() < (this.#refused.get(digest) ?? Number.NEGATIVE_INFINITY)) {
      return UNAUTHORIZED;
    }
    return this.#lookOnce(credential, digest);
  }

  /** Calls with one credential share a look-up. */
  #lookOnce(credential: string, digest: string): Promise<Caller | Fault> {
    const running = this.#looking.get(digest);
    if (running !== undefined) return running;
    const look = this.#look(credential, digest).finally(() => this.#looking.delete(digest));
    this.#looking.set(digest, look);
    return look;
  }

  async #look(credential: string, digest: string): Promise<Caller | Fault> {
    const { look, clock } = this.#options;
    const known = this.#known.get(digest);
    let confirmedMs = clock.elapsed();
    const ask = () => {
      confirmedMs = clock.elapsed();
      return look(credential);
    };
    try {
      // A flood of unknown credentials does not keep known ones waiting.
      const found = await (known === undefined ? this.#semaphore.run(ask) : ask());
      if (found === undefined || found.expiresMs <= clock.now()) return this.#refuse(digest);
      // The same caller stays the same value: others remember things by it.
      const caller = known !== undefined && isSameCaller(known.caller, found.caller) ? known.caller : found.caller;
      this.#known.set(digest, { caller, expiresMs: found.expiresMs, confirmedMs });
      return caller;
    } catch {
      return CALLER_UNDECIDED;
    }
  }

  #refuse(digest: string): Fault {
    this.#known.delete(digest);
    this.#refused.set(digest, this.#options.clock.elapsed() + REFUSED_MS);
    return UNAUTHORIZED;
  }
}

/** A map that forgets what was not used for longest, about half of its entries at a time. Reading and writing cost the same however full it is. */
export class BoundedMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  readonly #half: number;

  /** @param max The most entries that it holds. */
  constructor(max: number) {
    this.#half = Math.max(1, Math.floor(max / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    this.#old.delete(key);
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}

/** Lets a limited number of tasks run at a time. Others wait in turn, and are turned away when too many wait. */
export class LookupSemaphore {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ max, maxWaiting }: { readonly max: number; readonly maxWaiting: number }) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs a task in its turn. It rejects at once if too many wait. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#max) {
      if (this.#waiting.length >= this.#maxWaiting) throw new Error("too many look-ups wait");
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      // The turn passes on to the next task, so the number that runs stays the same.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
