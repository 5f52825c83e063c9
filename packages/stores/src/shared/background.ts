import { ABORTED, race, type Sleep } from "@recourse/core/wire";

export interface BackgroundOptions {
  /** How long one attempt may take, and how long a call waits for its change, in ms. */
  readonly timeoutMs: number;
  /** How long a change that fails is repeated, in ms. */
  readonly repeatMs: number;
  /** Pauses between attempts. */
  readonly sleep: Sleep;
  /** Calls a function after a time, unless it is cancelled. It is set for every call, so it has to be cheap. */
  readonly setTimer: SetTimer;
  /** Clock, in ms, that never goes back. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Calls a function after some ms. Returns what prevents it. */
type SetTimer = (ms: number, onTime: () => void) => () => void;

/** The pauses between tries begin with this, and double. */
export const FIRST_PAUSE_MS = 50;
export const MAX_PAUSE_MS = 2_000;

/** Work that may go on after the call that began it was answered. */
export class Background {
  readonly #options: BackgroundOptions;
  readonly #closing = new AbortController();
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Ends when all work is stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Ends when the store is being closed, so that work which can wait for another process ends early. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The result of work, if it comes in time. */
  inTime<T>(work: Promise<T>, ms: number = this.#options.timeoutMs): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#options.setTimer(ms, () => reject(new Error(`no answer within ${ms} ms`)));
      void work.then(resolve, reject).then(cancel);
    });
  }

  /** Lets work go on; what it throws is lost. */
  start(work: Promise<unknown>): void {
    const end = () => void this.#running.delete(tracked);
    const tracked = work.then(end, end);
    this.#running.add(tracked);
  }

  /**
   * Makes a change that is safe to repeat. If it fails it is repeated, even after this call has given up waiting and
   * has thrown.
   */
  async change(attempt: () => Promise<unknown>): Promise<void> {
    const { timeoutMs, repeatMs, now } = this.#options;
    const from = now();
    const first = this.inTime(attempt());
    this.start(first);
    let why: unknown;
    try {
      await first;
      return;
    } catch (cause) {
      why = cause;
    }
    const work = this.#repeat(attempt, from + repeatMs);
    this.start(work);
    const leftMs = timeoutMs - (now() - from);
    try {
      if (leftMs > 0) return await this.inTime(work, leftMs);
    } catch {}
    throw new Error(`not stored within ${timeoutMs} ms, and repeated for ${repeatMs} ms`, { cause: why });
  }

  async #repeat(attempt: () => Promise<unknown>, until: number): Promise<void> {
    const { sleep, now, random } = this.#options;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const ms = pause * (0.5 + random() / 2);
      if (now() + ms >= until) throw new Error("given up");
      await sleep(ms, this.signal);
      try {
        await this.inTime(attempt());
        return;
      } catch {}
    }
  }

  /** Waits for all work under way. An abort ends it instead. */
  async close(signal: AbortSignal | undefined): Promise<void> {
    this.#closing.abort(new Error("the store is being closed"));
    while (this.#running.size > 0) {
      if ((await race(Promise.allSettled(this.#running), { signal })) === ABORTED) break;
    }
    this.#stopped.abort(new Error("the store is closed"));
  }
}
