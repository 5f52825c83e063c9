import { adapter } from "@recourse/faults";
import { runLimited, TIMED_OUT } from "@recourse/faults/internal-do-not-use";
import { combineSinks } from "@recourse/faults/server";
import type { BackendStatus, Observation } from "./health.ts";
import { Monitor } from "./monitor.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Lifecycle } from "./spec.ts";
import { type Start, Starter } from "./starter.ts";

/** The state of an adapter and its backend. */
export interface AdapterHealth {
  /** The status of the backend; `idle` until the first call needs it. */
  readonly status: BackendStatus | "idle" | "starting" | "closed";
  /** Failures in a row. */
  readonly failures: number;
  /** Calls that are running now. */
  readonly running: number;
}

/** Options of a backend manager. */
export interface BackendManagerOptions<Config, Backend> {
  /** The name of the adapter. */
  readonly name: string;
  readonly lifecycle: Lifecycle<Config, Backend>;
  readonly config: Config;
  readonly options: ResolvedOptions;
}

/** Manages one backend: starts it when a call needs it, follows its health, and closes it. */
export class BackendManager<Config, Backend> {
  readonly running: RunningCalls = new RunningCalls();
  readonly #setup: BackendManagerOptions<Config, Backend>;
  readonly #starter: Starter<Backend>;
  readonly #monitor: Monitor;
  readonly #ending = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(setup: BackendManagerOptions<Config, Backend>) {
    const { lifecycle, config, options } = setup;
    this.#setup = setup;
    this.#starter = new Starter({
      ...options,
      initialise: (signal) => lifecycle.initialise(config, signal),
      discard: (late) => void this.#closeBackend(late),
      onStarted: () => this.#monitor.schedule(),
      onFailed: (cause) => this.#report("the backend could not be started", cause),
    });
    this.#monitor = new Monitor({
      ...options,
      check: (signal) => this.#starter.backend && lifecycle.health(this.#starter.backend.value, signal),
      onStatus: ({ from, to, cause }) => {
        if (to !== "healthy") this.#report(`the backend is ${to}`, cause);
        try {
          options.onStatus?.({ from, to });
        } catch (thrown) {
          this.#report("onStatus failed", thrown);
        }
      },
    });
  }

  get health(): AdapterHealth {
    const { status, failures } = this.#monitor.health;
    return { status: this.#phase() ?? status, failures, running: this.running.count };
  }

  /** Aborted when `close` no longer waits for running calls. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The backend for one call, or how long to wait before asking again; 0 where that is not known. */
  async acquire(): Promise<Start<Backend>> {
    if (this.#closed !== undefined) return { ok: false, afterMs: 0 };
    const afterMs = this.#monitor.refusedForMs;
    if (afterMs !== undefined) return { ok: false, afterMs };
    return this.#starter.start();
  }

  /** Records what a call showed about the backend. */
  record(observation: Observation, cause?: unknown): void {
    this.#monitor.record(observation, cause);
  }

  /** Waits for running calls within the limit, aborts the rest, then closes the backend. It never rejects. */
  close(signal?: AbortSignal): Promise<void> {
    this.#closed ??= this.#close(signal);
    return this.#closed;
  }

  async #close(signal?: AbortSignal): Promise<void> {
    const { clock, drainTimeoutMs: ms } = this.#setup.options;
    this.#monitor.stop();
    await runLimited({ ms, sleep: clock.sleep, signal, run: () => this.running.drained() });
    this.#ending.abort();
    this.#starter.stop();
    const { backend } = this.#starter;
    if (backend !== undefined) await this.#closeBackend(backend.value);
  }

  async #closeBackend(backend: Backend): Promise<void> {
    const { lifecycle, options } = this.#setup;
    const { clock, closeTimeoutMs: ms } = options;
    try {
      const outcome = await runLimited({ ms, sleep: clock.sleep, run: (signal) => lifecycle.close?.(backend, signal) });
      if (outcome === TIMED_OUT) this.#report("the backend did not close in time", undefined);
    } catch (cause) {
      this.#report("the backend could not be closed", cause);
    }
  }

  #phase(): "closed" | "starting" | "idle" | "down" | undefined {
    if (this.#closed !== undefined) return "closed";
    if (this.#starter.isStarting) return "starting";
    if (this.#starter.backend !== undefined) return undefined;
    return this.#starter.hasFailed ? "down" : "idle";
  }

  /** No caller hears of these failures, so the operator has to. */
  #report(what: string, cause: unknown): void {
    const { name, options } = this.#setup;
    if (options.sink === undefined) return;
    const error = new Error(`adapter ${name}: ${what}`, cause === undefined ? undefined : { cause });
    const at = new Date(options.clock.now()).toISOString();
    combineSinks(options.sink)({ fault: adapter.unavailable.fault(), cause: error, at });
  }
}

/** Counts running calls, so that `close` can wait for the last one. */
class RunningCalls {
  #count = 0;
  #empty: PromiseWithResolvers<void> | undefined;

  get count(): number {
    return this.#count;
  }

  /** Counts one call while it runs. */
  async track<T>(run: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await run();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#empty?.resolve();
    }
  }

  /** Resolves when no call is running. */
  async drained(): Promise<void> {
    if (this.#count === 0) return;
    this.#empty ??= Promise.withResolvers();
    await this.#empty.promise;
    this.#empty = undefined;
  }
}
