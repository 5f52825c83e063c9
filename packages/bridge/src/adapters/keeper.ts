import { adapter } from "@recourse/faults";
import { combineSinks } from "@recourse/faults/server";
import type { BackendStatus, Evidence } from "./health.ts";
import { LATE, limited } from "./limit.ts";
import { Monitor } from "./monitor.ts";
import type { Settled } from "./options.ts";
import { Running } from "./running.ts";
import type { Lifecycle } from "./spec.ts";
import { type Start, Starter } from "./starter.ts";

/** How an adapter is doing. */
export interface AdapterHealth {
  /** `idle`: no call has needed the backend yet. */
  readonly status: BackendStatus | "idle" | "starting" | "closed";
  /** Failures in a row. */
  readonly failures: number;
  /** Calls under way. */
  readonly running: number;
}

/** What a keeper needs. */
export interface KeeperSetting<Config, Backend> {
  readonly name: string;
  readonly lifecycle: Lifecycle<Config, Backend>;
  readonly config: Config;
  readonly settled: Settled;
}

/** Keeps one backend: starts it when it is needed, knows how it is doing, and closes it. */
export class Keeper<Config, Backend> {
  readonly running: Running = new Running();
  readonly #setting: KeeperSetting<Config, Backend>;
  readonly #starter: Starter<Backend>;
  readonly #monitor: Monitor;
  readonly #ending = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(setting: KeeperSetting<Config, Backend>) {
    const { lifecycle, config, settled } = setting;
    this.#setting = setting;
    this.#starter = new Starter({
      ...settled,
      initialise: (signal) => lifecycle.initialise(config, signal),
      discard: (late) => void this.#end(late),
      onStarted: () => this.#monitor.watch(),
      onFailed: (cause) => this.#tell("the backend could not be started", cause),
    });
    this.#monitor = new Monitor({
      ...settled,
      check: (signal) => this.#starter.backend && lifecycle.health(this.#starter.backend.value, signal),
      onStatus: ({ from, to, cause }) => {
        if (to !== "healthy") this.#tell(`the backend is ${to}`, cause);
        try {
          settled.onStatus?.({ from, to });
        } catch (thrown) {
          this.#tell("onStatus failed", thrown);
        }
      },
    });
  }

  get health(): AdapterHealth {
    const { status, failures } = this.#monitor.health;
    return { status: this.#phase() ?? status, failures, running: this.running.count };
  }

  /** Aborted when calls are no longer waited for. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The backend for one call, or how long until it makes sense to ask again; 0 where nobody can tell. */
  async take(): Promise<Start<Backend>> {
    if (this.#closed !== undefined) return { ok: false, afterMs: 0 };
    const afterMs = this.#monitor.refusedForMs;
    if (afterMs !== undefined) return { ok: false, afterMs };
    return this.#starter.start();
  }

  /** Takes what a call has shown about the backend. */
  note(evidence: Evidence, cause?: unknown): void {
    this.#monitor.note(evidence, cause);
  }

  /** Waits for running calls, for a while, then ends them and closes the backend; never rejects. */
  close(signal?: AbortSignal): Promise<void> {
    this.#closed ??= this.#close(signal);
    return this.#closed;
  }

  async #close(signal?: AbortSignal): Promise<void> {
    const { clock, drainMs: ms } = this.#setting.settled;
    this.#monitor.stop();
    await limited({ ms, clock, signal, run: () => this.running.drained() });
    this.#ending.abort();
    this.#starter.stop();
    const { backend } = this.#starter;
    if (backend !== undefined) await this.#end(backend.value);
  }

  async #end(backend: Backend): Promise<void> {
    const { lifecycle, settled } = this.#setting;
    const { clock, closeMs: ms } = settled;
    try {
      const outcome = await limited({ ms, clock, run: (signal) => lifecycle.close?.(backend, signal) });
      if (outcome === LATE) this.#tell("the backend did not close in time", undefined);
    } catch (cause) {
      this.#tell("the backend could not be closed", cause);
    }
  }

  #phase(): "closed" | "starting" | "idle" | "down" | undefined {
    if (this.#closed !== undefined) return "closed";
    if (this.#starter.isStarting) return "starting";
    if (this.#starter.backend !== undefined) return undefined;
    return this.#starter.hasFailed ? "down" : "idle";
  }

  /** No caller hears of these, so the operator must. */
  #tell(what: string, cause: unknown): void {
    const { name, settled } = this.#setting;
    if (settled.sink === undefined) return;
    const told = new Error(`adapter ${name}: ${what}`, cause === undefined ? undefined : { cause });
    const at = new Date(settled.clock.now()).toISOString();
    combineSinks(settled.sink)({ fault: adapter.unavailable.fault(), cause: told, at });
  }
}
