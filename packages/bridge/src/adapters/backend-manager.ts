import { adapter } from "@recourse/faults";
import { combineSinks } from "@recourse/faults/server";
import { ABORTED, type Clock, runLimited, TIMED_OUT } from "@recourse/wire";
import { Monitor, type Observation } from "./health.ts";
import type { AdapterLimits, BackendStatus, ResolvedOptions } from "./options.ts";
import type { Lifecycle } from "./spec.ts";

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
interface BackendManagerOptions<Config, Backend> {
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

  /** The backend for one call, or how long to wait before asking again; 0 if that is not known. */
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

/** Options of a starter. */
interface StarterOptions<Backend>
  extends Pick<AdapterLimits, "startTimeoutMs" | "restartPauseMs" | "maxRestartPauseMs"> {
  readonly clock: Clock;
  readonly initialise: (signal: AbortSignal) => Backend | Promise<Backend>;
  /** Receives a backend that was ready only after its time was up. */
  readonly discard: (backend: Backend) => void;
  readonly onStarted: () => void;
  /** Called for every start that failed. */
  readonly onFailed: (cause: unknown) => void;
}

/** The backend, or how long to wait before asking again; 0 if that is not known. */
type Start<Backend> = { readonly ok: true; readonly backend: Backend } | BackendStartFailure;

interface BackendStartFailure {
  readonly ok: false;
  readonly afterMs: number;
}

/** Starts a backend once for all callers that ask at the same time, and delays the next start after a failed one. */
export class Starter<Backend> {
  readonly #options: StarterOptions<Backend>;
  readonly #stop = new AbortController();
  #pending: Promise<Start<Backend>> | undefined;
  #started: Start<Backend> | undefined;
  #failures = 0;
  #notBeforeMs = 0;

  constructor(options: StarterOptions<Backend>) {
    this.#options = options;
  }

  /** Whether a start is running. */
  get isStarting(): boolean {
    return this.#pending !== undefined;
  }

  /** Whether the last start failed. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** The backend, if it is started. */
  get backend(): { readonly value: Backend } | undefined {
    return this.#started?.ok === true ? { value: this.#started.backend } : undefined;
  }

  /** The started backend, the result of the running start, or a new start if the delay is over. */
  async start(): Promise<Start<Backend>> {
    if (this.#started !== undefined) return this.#started;
    const afterMs = this.#notBeforeMs - this.#options.clock.now();
    if (this.#pending === undefined && afterMs > 0) return { ok: false, afterMs };
    this.#pending ??= this.#try().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Aborts a running start; no other follows. */
  stop(): void {
    this.#stop.abort();
  }

  async #try(): Promise<Start<Backend>> {
    const { clock, startTimeoutMs: ms, initialise: run, discard: onLateResult } = this.#options;
    try {
      const backend = await runLimited({ ms, sleep: clock.sleep, signal: this.#stop.signal, run, onLateResult });
      if (backend === ABORTED) return { ok: false, afterMs: 0 };
      if (backend === TIMED_OUT) return this.#failed(new Error("the start did not end in time"));
      this.#failures = 0;
      this.#started = { ok: true, backend };
      this.#options.onStarted();
      return this.#started;
    } catch (cause) {
      return this.#failed(cause);
    }
  }

  #failed(cause: unknown): BackendStartFailure {
    const { clock, restartPauseMs, maxRestartPauseMs, onFailed } = this.#options;
    const afterMs = Math.min(restartPauseMs * 2 ** Math.min(this.#failures, 30), maxRestartPauseMs);
    this.#failures += 1;
    this.#notBeforeMs = clock.now() + afterMs;
    onFailed(cause);
    return { ok: false, afterMs };
  }
}
