import type { Fault } from "@recourse/faults";
import { REFUSED, UNDECIDED } from "./answers.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { Caller } from "./caller.ts";
import { isSameCaller } from "./callers.ts";
import type { Clock } from "./clock.ts";
import { Turns } from "./turns.ts";

/** A credential that was found to be good. */
export interface Confirmed {
  readonly caller: Caller;
  /** Time of day in ms from which it is refused. */
  readonly expiresMs: number;
}

/** Options of a `CredentialCache`. */
export interface CacheOptions {
  /** Finds the owner of a credential; undefined where it is not good. It rejects where that cannot be found out. */
  readonly look: (credential: string) => Promise<Confirmed | undefined>;
  /** How long a credential is accepted without being looked up again. */
  readonly freshMs: number;
  /** The age from which an accepted credential is looked up again in the background. */
  readonly refreshMs: number;
  /** How many unknown credentials are looked up at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
}

interface Known extends Confirmed {
  /** Monotonic time before the look-up that confirmed it. */
  readonly confirmedMs: number;
}

const MAX_KNOWN = 50_000;
const MAX_REFUSED = 50_000;
const MAX_WAITING = 256;
/** Short, so that a new key works soon after a first attempt that came too early. */
const REFUSED_MS = 2_000;

/** Remembers which credentials are good and, for a moment, which are not. Keys of its maps are digests, never credentials. */
export class CredentialCache {
  readonly #options: CacheOptions;
  readonly #known = new BoundedMap<Known>(MAX_KNOWN);
  /** Monotonic times up to which credentials are refused from memory. */
  readonly #refused = new BoundedMap<number>(MAX_REFUSED);
  readonly #looking = new Map<string, Promise<Caller | Fault>>();
  readonly #turns: Turns;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#turns = new Turns({ max: options.concurrency, maxWaiting: MAX_WAITING });
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
      return REFUSED;
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
      const found = await (known === undefined ? this.#turns.run(ask) : ask());
      if (found === undefined || found.expiresMs <= clock.now()) return this.#refuse(digest);
      // The same caller stays the same value: others remember things by it.
      const caller = known !== undefined && isSameCaller(known.caller, found.caller) ? known.caller : found.caller;
      this.#known.set(digest, { caller, expiresMs: found.expiresMs, confirmedMs });
      return caller;
    } catch {
      return UNDECIDED;
    }
  }

  #refuse(digest: string): Fault {
    this.#known.delete(digest);
    this.#refused.set(digest, this.#options.clock.elapsed() + REFUSED_MS);
    return REFUSED;
  }
}
