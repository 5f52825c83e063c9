import { adapter } from "@recourse/core/reasons";
import {
  type BreakerMoment,
  type BreakerPermit,
  type BreakerSignal,
  type BreakerState,
  CLOSED_BREAKER,
  recordSignal,
  requestPermit,
} from "@recourse/core/retry";
import { combineSinks } from "@recourse/core/server";
import { ABORTED, runLimited, TIMED_OUT } from "@recourse/core/wire";
import type { ResolvedOptions } from "./options.ts";
import type { Lifecycle } from "./spec.ts";

/** The state of an adapter and its backend. */
export interface AdapterHealth {
  /** The status of the backend: `idle` until the first call needs it, `down` while most calls are refused. */
  readonly status: "idle" | "starting" | "healthy" | "down" | "closed";
  /** Calls that are running now. */
  readonly running: number;
}

interface BackendManagerOptions<Config, Backend> {
  readonly name: string;
  readonly lifecycle: Lifecycle<Config, Backend>;
  readonly config: Config;
  readonly options: ResolvedOptions;
}

/** A backend for one call, which records what it shows with the permit; or how long to wait, 0 if that is not known. */
type AcquiredBackend<Backend> =
  | { readonly ok: true; readonly backend: Backend; readonly permit: BreakerPermit }
  | RefusedBackend;

interface RefusedBackend {
  readonly ok: false;
  readonly afterMs: number;
}

const REFUSED: RefusedBackend = { ok: false, afterMs: 0 };

/** Manages one backend: starts it when a call needs it, refuses calls while it is down, and closes it. */
export class BackendManager<Config, Backend> {
  readonly #setup: BackendManagerOptions<Config, Backend>;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  #breaker: BreakerState = CLOSED_BREAKER;
  #starting: Promise<RefusedBackend | undefined> | undefined;
  #started: { readonly backend: Backend } | undefined;
  #closed: Promise<void> | undefined;

  constructor(setup: BackendManagerOptions<Config, Backend>) {
    this.#setup = setup;
  }

  get health(): AdapterHealth {
    return { status: this.#status(), running: this.#running.size };
  }

  /** Aborted when `close` no longer waits for running calls. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Counts one call while it runs, so that `close` can wait for it. */
  async track<T>(run: () => Promise<T>): Promise<T> {
    const call = run();
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  /** The backend for one call; the first calls start it and wait for it together. */
  async acquire(): Promise<AcquiredBackend<Backend>> {
    if (this.#closed !== undefined) return REFUSED;
    const [permit, next] = requestPermit(this.#breaker, this.#moment());
    this.#breaker = next;
    if (!permit.go) return { ok: false, afterMs: permit.afterMs };
    if (this.#started === undefined) {
      this.#starting ??= this.#start(permit).finally(() => {
        this.#starting = undefined;
      });
      const refused = await this.#starting;
      if (refused !== undefined) return refused;
    }
    return this.#started === undefined ? REFUSED : { ok: true, permit, ...this.#started };
  }

  record(permit: BreakerPermit, signal: BreakerSignal, cause?: unknown): void {
    // Calls that end because the adapter closes say nothing about the backend.
    if (this.#ending.signal.aborted) return;
    const before = this.#breaker;
    this.#breaker = recordSignal(before, permit, signal, this.#moment());
    if (before.at === "closed" && this.#breaker.at === "open") this.#report("the backend is down", cause);
  }

  /** Waits for running calls within the limit, aborts the rest, then closes the backend. It never rejects. */
  close(signal?: AbortSignal): Promise<void> {
    this.#closed ??= this.#close(signal);
    return this.#closed;
  }

  async #start(permit: BreakerPermit): Promise<RefusedBackend | undefined> {
    const { lifecycle, config, options } = this.#setup;
    try {
      const backend = await runLimited({
        ms: options.startTimeoutMs,
        sleep: options.clock.sleep,
        signal: this.#ending.signal,
        run: (signal) => lifecycle.initialise(config, signal),
        onLateResult: (late) => void this.#closeBackend(late),
      });
      if (backend === ABORTED) return REFUSED;
      if (backend === TIMED_OUT) throw new Error("the start did not end in time");
      this.#started = { backend };
      this.record(permit, "success");
      return undefined;
    } catch (cause) {
      // Nothing can be called, so one failure is enough.
      this.#breaker = recordSignal(this.#breaker, permit, "failure", this.#moment({ failures: 1 }));
      this.#report("the backend could not be started", cause);
      const [refused] = requestPermit(this.#breaker, this.#moment());
      return refused.go ? REFUSED : { ok: false, afterMs: refused.afterMs };
    }
  }

  async #close(signal?: AbortSignal): Promise<void> {
    const { clock, drainTimeoutMs: ms } = this.#setup.options;
    await runLimited({ ms, sleep: clock.sleep, signal, run: () => Promise.allSettled(this.#running) });
    this.#ending.abort();
    if (this.#started !== undefined) await this.#closeBackend(this.#started.backend);
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

  #status(): AdapterHealth["status"] {
    if (this.#closed !== undefined) return "closed";
    if (this.#starting !== undefined) return "starting";
    if (this.#breaker.at !== "closed") return "down";
    return this.#started === undefined ? "idle" : "healthy";
  }

  #moment(rules: Partial<BreakerMoment["rules"]> = {}): BreakerMoment {
    const { clock, random, breaker } = this.#setup.options;
    return { nowMs: clock.monotonic(), random: random(), rules: { ...breaker, ...rules } };
  }

  /** No caller hears of these failures, so the operator has to. */
  #report(what: string, cause: unknown): void {
    const { name, options } = this.#setup;
    const error = new Error(`adapter ${name}: ${what}`, cause === undefined ? undefined : { cause });
    const at = new Date(options.clock.now()).toISOString();
    combineSinks(options.sink)({ fault: adapter.unavailable.fault(), cause: error, at });
  }
}
