import type { Fault } from "@recourse/faults";
import type { LimitAnswer, LimitRefused } from "@recourse/stores/redis";
import type { Call } from "../pipeline/call.ts";

type Caller = NonNullable<Call["caller"]>;

/** Whose limit is used up is not read for this time at most, so that it can soon do what costs no token. */
const MAX_PAUSE_MS = 1_000;

/** A caller whose refused messages have used up a limit. */
interface Paused {
  readonly answer: LimitRefused;
  readonly atMs: number;
}

/** What counting refused messages needs. */
export interface RefusedMessagesOptions {
  /** Takes tokens of the caller for a message of so many bytes; undefined where it has no limits. */
  readonly take: (caller: Caller, bytes: number) => LimitAnswer | Promise<LimitAnswer> | undefined;
  /** The fault of a limit that is used up. */
  readonly refused: (answer: LimitRefused) => Fault;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/**
 * Counts messages that are refused before their limits are known: each costs its caller a token, and a large one more. When
 * too few are left, nothing is read from the caller for a moment, so its limits bound what its messages cost too.
 */
export class RefusedMessages {
  readonly #options: RefusedMessagesOptions;
  readonly #paused = new WeakMap<Caller, Paused>();

  constructor(options: RefusedMessagesOptions) {
    this.#options = options;
  }

  /** Takes tokens for a message; the fault of the limit where too few are left. While the store is away, nothing is taken. */
  count(caller: Caller, bytes: number): Fault | undefined | Promise<Fault | undefined> {
    const answer = this.#options.take(caller, bytes);
    return answer instanceof Promise ? answer.then((one) => this.#settle(caller, one)) : this.#settle(caller, answer);
  }

  /** The fault for a caller that is not read at the moment. */
  check(caller: Caller): Fault | undefined {
    const paused = this.#paused.get(caller);
    if (paused === undefined) return undefined;
    const { answer, atMs } = paused;
    const passedMs = this.#options.now() - atMs;
    if (passedMs >= Math.min(answer.waitMs, MAX_PAUSE_MS)) {
      this.#paused.delete(caller);
      return undefined;
    }
    const leftOf = (waitMs: number) => Math.max(1, Math.ceil(waitMs - passedMs));
    const [first, ...others] = answer.short;
    return this.#options.refused({
      ...answer,
      waitMs: leftOf(answer.waitMs),
      short: [
        { ...first, waitMs: leftOf(first.waitMs) },
        ...others.map((one) => ({ ...one, waitMs: leftOf(one.waitMs) })),
      ],
    });
  }

  #settle(caller: Caller, answer: LimitAnswer | undefined): Fault | undefined {
    if (answer === undefined || answer.ok || answer.away) return undefined;
    this.#paused.set(caller, { answer, atMs: this.#options.now() });
    return this.#options.refused(answer);
  }
}
