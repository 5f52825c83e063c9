import type { Clock } from "./clock.ts";
import {
  type BackendStatus,
  type Evidence,
  HEALTHY,
  type Health,
  judge,
  type Thresholds,
  type Witness,
} from "./health.ts";
import { LATE, limited, STOPPED } from "./limit.ts";

/** How a backend is watched. */
export interface Watching extends Thresholds {
  /** Between checks of a backend that works. */
  readonly everyMs: number;
  /** Before the first check of one that does not; it doubles with each check that fails, up to `everyMs`. */
  readonly probeMs: number;
  /** How long a check may take. */
  readonly healthMs: number;
}

/** What a monitor needs. */
export interface MonitorSetting extends Watching {
  readonly clock: Clock;
  /** Rejects when the backend does not work. */
  readonly check: (signal: AbortSignal) => unknown;
  /** Told of every change, with what made it. */
  readonly onStatus: (change: {
    readonly from: BackendStatus;
    readonly to: BackendStatus;
    readonly cause: unknown;
  }) => void;
}

/** Knows how a backend is doing, from calls and from its own checks. */
export class Monitor {
  readonly #setting: MonitorSetting;
  readonly #stop = new AbortController();
  #health: Health = HEALTHY;
  #failedChecks = 0;
  #timer: AbortController | undefined;
  #nextAtMs = 0;

  constructor(setting: MonitorSetting) {
    this.#setting = setting;
  }

  get health(): Health {
    return this.#health;
  }

  /** How long until the next check, when the backend is down; calls are refused until then. */
  get refusedForMs(): number | undefined {
    if (this.#health.status !== "down") return undefined;
    const left = this.#nextAtMs - this.#setting.clock.now();
    // A check is under way: should it fail, the next one comes after a pause.
    return left > 0 ? left : this.#setting.probeMs;
  }

  /** Takes what a call has shown. */
  note(evidence: Evidence, cause?: unknown): void {
    // Calls that end because the adapter does say nothing about the backend.
    if (this.#stop.signal.aborted) return;
    this.#judge(evidence, "call", cause);
    // A backend in trouble is looked at soon, not when its turn would have come.
    const isSooner = this.#setting.clock.now() + this.#pauseMs() < this.#nextAtMs;
    if (this.#timer !== undefined && isSooner) this.watch();
  }

  /** Looks at the backend when it is time, again and again. */
  watch(): void {
    this.#timer?.abort();
    if (this.#stop.signal.aborted) return;
    const timer = new AbortController();
    const { clock } = this.#setting;
    const ms = this.#pauseMs();
    this.#timer = timer;
    this.#nextAtMs = clock.now() + ms;
    clock.sleep(ms, timer.signal).then(
      () => this.#check(),
      () => {},
    );
  }

  /** Ends the watch. */
  stop(): void {
    this.#stop.abort();
    this.#timer?.abort();
  }

  async #check(): Promise<void> {
    this.#timer = undefined;
    const { clock, healthMs: ms, check } = this.#setting;
    let cause: unknown;
    const outcome = await limited({ ms, clock, signal: this.#stop.signal, run: check }).catch((thrown: unknown) => {
      cause = thrown;
      return LATE;
    });
    if (outcome === STOPPED) return;
    this.#failedChecks = outcome === LATE ? this.#failedChecks + 1 : 0;
    this.#judge(outcome === LATE ? "failing" : "alive", "check", cause);
    this.watch();
  }

  #judge(evidence: Evidence, by: Witness, cause: unknown): void {
    const { status: from } = this.#health;
    this.#health = judge(this.#health, evidence, by, this.#setting);
    const to = this.#health.status;
    if (to !== from) this.#setting.onStatus({ from, to, cause });
  }

  #pauseMs(): number {
    const { everyMs, probeMs } = this.#setting;
    if (this.#health.failures === 0) return everyMs;
    return Math.min(everyMs, probeMs * 2 ** Math.min(this.#failedChecks, 30));
  }
}
