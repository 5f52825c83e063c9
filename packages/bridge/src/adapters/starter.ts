import type { Clock } from "./clock.ts";
import { LATE, limited, STOPPED } from "./limit.ts";

/** How a start goes about it. */
export interface Starting {
  /** How long one start may take. */
  readonly initialiseMs: number;
  /** Before a failed start is tried again; it doubles each time, up to `restartCapMs`. */
  readonly restartMs: number;
  readonly restartCapMs: number;
}

/** What a starter needs. */
export interface StarterSetting<Backend> extends Starting {
  readonly clock: Clock;
  readonly initialise: (signal: AbortSignal) => Backend | Promise<Backend>;
  /** Gets a backend that came after its time. */
  readonly discard: (backend: Backend) => void;
  readonly onStarted: () => void;
  /** Told of every start that failed. */
  readonly onFailed: (cause: unknown) => void;
}

/** The backend, or how long until it makes sense to ask again. */
export type Start<Backend> = { readonly ok: true; readonly backend: Backend } | Refused;
interface Refused {
  readonly ok: false;
  readonly afterMs: number;
}

/** Starts a backend once, however many ask for it together; a start that failed is not tried again at once. */
export class Starter<Backend> {
  readonly #setting: StarterSetting<Backend>;
  readonly #stop = new AbortController();
  #pending: Promise<Start<Backend>> | undefined;
  #started: Start<Backend> | undefined;
  #failures = 0;
  #notBeforeMs = 0;

  constructor(setting: StarterSetting<Backend>) {
    this.#setting = setting;
  }

  /** Whether a start is under way. */
  get isStarting(): boolean {
    return this.#pending !== undefined;
  }

  /** Whether the last start failed. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** The backend, if it is there. */
  get backend(): { readonly value: Backend } | undefined {
    return this.#started?.ok === true ? { value: this.#started.backend } : undefined;
  }

  /** The backend: the one that is there, the one that is coming, or a new one when enough time has passed. */
  async start(): Promise<Start<Backend>> {
    if (this.#started !== undefined) return this.#started;
    const { clock } = this.#setting;
    const afterMs = this.#notBeforeMs - clock.now();
    if (this.#pending === undefined && afterMs > 0) return { ok: false, afterMs };
    this.#pending ??= this.#try().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Ends a start that is under way; there will be no other. */
  stop(): void {
    this.#stop.abort();
  }

  async #try(): Promise<Start<Backend>> {
    const { clock, initialiseMs: ms, initialise: run, discard: onLate } = this.#setting;
    try {
      const backend = await limited({ ms, clock, signal: this.#stop.signal, run, onLate });
      if (backend === STOPPED) return { ok: false, afterMs: 0 };
      if (backend === LATE) return this.#failed(new Error("the start did not end in time"));
      this.#failures = 0;
      this.#started = { ok: true, backend };
      this.#setting.onStarted();
      return this.#started;
    } catch (cause) {
      return this.#failed(cause);
    }
  }

  #failed(cause: unknown): Refused {
    const { clock, restartMs, restartCapMs, onFailed } = this.#setting;
    const afterMs = Math.min(restartMs * 2 ** Math.min(this.#failures, 30), restartCapMs);
    this.#failures += 1;
    this.#notBeforeMs = clock.now() + afterMs;
    onFailed(cause);
    return { ok: false, afterMs };
  }
}
