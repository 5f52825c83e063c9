import { NewestMap, type Sleep } from "@recourse/core/wire";
import { type Background, FIRST_PAUSE_MS, MAX_PAUSE_MS } from "./background.ts";

/** Options of `LostClaims`. */
export interface LostClaimsOptions {
  /** Frees a key. Returns whether the claim was there. */
  readonly release: (key: string, fence: number) => Promise<boolean>;
  readonly background: Background;
  /** How long a claim is looked for, in ms. */
  readonly repeatMs: number;
  /** Pauses between looks while a caller waits for the end. */
  readonly sleep: Sleep;
  /** Pauses between looks; an abort ends it. It need not keep the process alive. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Clock, in ms, that never goes back. */
  readonly now: () => number;
  /** The most claims at a time; beyond it the oldest is left to its deadline. @default 10_000 */
  readonly max?: number;
}

interface LostClaim {
  readonly key: string;
  readonly until: number;
  /** When it is looked for again, and the pause before that. */
  at: number;
  pause: number;
}

/**
 * Claims whose answers were lost. Their calls never run, so their keys are given back. A claim may be made after it was looked
 * for (its statement still waited in the engine), so it is looked for again, at growing intervals.
 *
 * While the engine is down, every call adds a claim. So there are at most `max`, and they are looked for one after the
 * other: an engine that is down, or has just come up again, gets one statement at a time.
 */
export class LostClaims {
  readonly #options: LostClaimsOptions;
  /** By fence, the oldest first. */
  readonly #claims: NewestMap<number, LostClaim>;
  #isLooking = false;

  constructor(options: LostClaimsOptions) {
    this.#options = options;
    this.#claims = new NewestMap(options.max ?? 10_000);
  }

  get size(): number {
    return this.#claims.size;
  }

  /** Gives a claim back that was made, or may still be made. */
  add(key: string, fence: number): void {
    const { background, repeatMs, now } = this.#options;
    this.#claims.set(fence, { key, until: now() + repeatMs, at: now(), pause: FIRST_PAUSE_MS });
    if (!this.#isLooking) background.start(this.#lookForAll());
  }

  /** Looks no more: the claim was not made. */
  forget(fence: number): void {
    this.#claims.delete(fence);
  }

  async #lookForAll(): Promise<void> {
    const { background, now } = this.#options;
    this.#isLooking = true;
    let outage = FIRST_PAUSE_MS;
    while (this.#claims.size > 0 && !background.signal.aborted) {
      const isAnswered = await this.#lookForDue();
      outage = isAnswered ? FIRST_PAUSE_MS : Math.min(2 * outage, MAX_PAUSE_MS);
      for (const [fence, { until }] of this.#claims) if (until <= now()) this.#claims.delete(fence);
      if (this.#claims.size > 0) await this.#pause(isAnswered ? this.#nextMs() : outage);
    }
    this.#isLooking = false;
  }

  /** Looks for those whose time has come. Returns whether the engine has answered. */
  async #lookForDue(): Promise<boolean> {
    const { release, background, now } = this.#options;
    for (const [fence, claim] of this.#claims) {
      if (claim.at > now() && !background.closing.aborted) continue;
      try {
        const isGivenBack = await background.inTime(release(claim.key, fence));
        if (isGivenBack || background.closing.aborted) this.#claims.delete(fence);
      } catch {
        // The next look begins with another one, in case the engine fails with this one only.
        if (this.#claims.delete(fence)) this.#claims.set(fence, claim);
        return false;
      }
      claim.at = now() + claim.pause;
      claim.pause *= 2;
    }
    return true;
  }

  #nextMs(): number {
    const next = [...this.#claims.values()].reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
    return Math.min(Math.max(next - this.#options.now(), FIRST_PAUSE_MS), MAX_PAUSE_MS);
  }

  /** Closing ends a pause, but not the work. */
  async #pause(ms: number): Promise<void> {
    const { background, sleep, idle } = this.#options;
    if (background.closing.aborted) await sleep(ms, background.signal).catch(() => {});
    else await idle(ms, background.closing);
  }
}
