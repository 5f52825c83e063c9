import { ABORTED, race, type Sleep, TIMED_OUT } from "@recourse/faults/internal-do-not-use";

/** How changes are repeated. */
export interface BackgroundOptions {
  /** How long one attempt may take, and how long a call waits for its change, in ms. */
  readonly timeoutMs: number;
  /** How long a change that fails is repeated, in ms. */
  readonly repeatMs: number;
  readonly sleep: Sleep;
  /** Clock, in ms, that never goes back. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Work that may go on after the call that began it was answered. */
export class Background {
  readonly #options: BackgroundOptions;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Ends when all work is stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** The result of work, if it comes in time. */
  async inTime<T>(work: Promise<T>): Promise<T> {
    const { timeoutMs, sleep } = this.#options;
    const result = await race(work, { ms: timeoutMs, sleep });
    if (result === TIMED_OUT || result === ABORTED) throw new Error(`no answer within ${timeoutMs} ms`);
    return result;
  }

  /** Lets work go on; what it throws is lost. */
  start(work: Promise<unknown>): void {
    const tracked = work.catch(() => {}).finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /**
   * Makes a change that is safe to repeat. Where it fails it is repeated, also after this call has given up waiting and has
   * thrown.
   */
  async change(attempt: () => Promise<void>): Promise<void> {
    const { timeoutMs, repeatMs, sleep } = this.#options;
    let last: unknown;
    const work = this.#repeat(attempt, (cause) => {
      last = cause;
    });
    this.start(work);
    if ((await race(work, { ms: timeoutMs, sleep })) !== TIMED_OUT) return;
    throw new Error(`not stored within ${timeoutMs} ms, and repeated for ${repeatMs} ms`, { cause: last });
  }

  async #repeat(attempt: () => Promise<void>, onFailure: (cause: unknown) => void): Promise<void> {
    const { repeatMs, sleep, now, random } = this.#options;
    const until = now() + repeatMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await this.inTime(attempt());
      } catch (cause) {
        onFailure(cause);
        const ms = pause * (0.5 + random() / 2);
        if (now() + ms >= until || this.signal.aborted) throw cause;
        await sleep(ms, this.signal);
      }
    }
  }

  /** Waits for all that goes on. An abort ends it instead. */
  async close(signal: AbortSignal | undefined): Promise<void> {
    while (this.#running.size > 0) {
      if ((await race(Promise.allSettled(this.#running), { signal })) === ABORTED) break;
    }
    this.#stopped.abort(new Error("the store is closed"));
  }
}
