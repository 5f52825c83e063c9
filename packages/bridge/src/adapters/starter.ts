import { ABORTED, runLimited, TIMED_OUT } from "@recourse/faults/internal-do-not-use";
import type { AdapterLimits, Clock } from "./options.ts";

/** Options of a starter. */
export interface StarterOptions<Backend>
  extends Pick<AdapterLimits, "initialiseTimeoutMs" | "restartDelayMs" | "maxRestartDelayMs"> {
  readonly clock: Clock;
  readonly initialise: (signal: AbortSignal) => Backend | Promise<Backend>;
  /** Receives a backend that was ready only after its time was up. */
  readonly discard: (backend: Backend) => void;
  readonly onStarted: () => void;
  /** Called for every start that failed. */
  readonly onFailed: (cause: unknown) => void;
}

/** The backend, or how long to wait before asking again; 0 where that is not known. */
export type Start<Backend> = { readonly ok: true; readonly backend: Backend } | NotStarted;
interface NotStarted {
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

  /** The started backend, the result of the running start, or a new start where the delay is over. */
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
    const { clock, initialiseTimeoutMs: ms, initialise: run, discard: onLateResult } = this.#options;
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

  #failed(cause: unknown): NotStarted {
    const { clock, restartDelayMs, maxRestartDelayMs, onFailed } = this.#options;
    const afterMs = Math.min(restartDelayMs * 2 ** Math.min(this.#failures, 30), maxRestartDelayMs);
    this.#failures += 1;
    this.#notBeforeMs = clock.now() + afterMs;
    onFailed(cause);
    return { ok: false, afterMs };
  }
}
