import { ABORTED, runLimited, TIMED_OUT } from "@recourse/faults/internal-do-not-use";
import { type BackendStatus, HEALTHY, type Health, nextHealth, type Observation, type Observer } from "./health.ts";
import type { AdapterLimits, Clock } from "./options.ts";

/** Options of a monitor. */
export interface MonitorOptions
  extends Pick<AdapterLimits, "healthIntervalMs" | "healthTimeoutMs" | "probeDelayMs" | "degradedAfter" | "downAfter"> {
  readonly clock: Clock;
  /** Throws or rejects when the backend does not work. */
  readonly check: (signal: AbortSignal) => unknown;
  /** Called on every change of status, with the failure behind it. */
  readonly onStatus: (change: {
    readonly from: BackendStatus;
    readonly to: BackendStatus;
    readonly cause: unknown;
  }) => void;
}

/** Follows the health of a backend, from tool calls and from checks of its own. */
export class Monitor {
  readonly #options: MonitorOptions;
  readonly #stop = new AbortController();
  #health: Health = HEALTHY;
  #failedChecks = 0;
  #timer: AbortController | undefined;
  #nextCheckAtMs = 0;

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  get health(): Health {
    return this.#health;
  }

  /** How long calls are refused: until the next check of a backend that is down. Undefined where calls may be made. */
  get refusedForMs(): number | undefined {
    if (this.#health.status !== "down") return undefined;
    const leftMs = this.#nextCheckAtMs - this.#options.clock.now();
    // A check is running: if it fails, the next one comes after a delay.
    return leftMs > 0 ? leftMs : this.#options.probeDelayMs;
  }

  /** Records what a call showed. */
  record(observation: Observation, cause?: unknown): void {
    // Calls that end because the adapter closes say nothing about the backend.
    if (this.#stop.signal.aborted) return;
    this.#update(observation, "call", cause);
    // A failing backend is checked soon, not at the end of the long interval.
    const isSooner = this.#options.clock.now() + this.#delayMs() < this.#nextCheckAtMs;
    if (this.#timer !== undefined && isSooner) this.schedule();
  }

  /** Schedules the next check; each check schedules the one after it. */
  schedule(): void {
    this.#timer?.abort();
    if (this.#stop.signal.aborted) return;
    const timer = new AbortController();
    const { clock } = this.#options;
    const ms = this.#delayMs();
    this.#timer = timer;
    this.#nextCheckAtMs = clock.now() + ms;
    clock.sleep(ms, timer.signal).then(
      () => this.#check(),
      () => {},
    );
  }

  /** Ends the checks for good. */
  stop(): void {
    this.#stop.abort();
    this.#timer?.abort();
  }

  async #check(): Promise<void> {
    this.#timer = undefined;
    const { clock, healthTimeoutMs: ms, check } = this.#options;
    let cause: unknown;
    const outcome = await runLimited({ ms, sleep: clock.sleep, signal: this.#stop.signal, run: check }).catch(
      (thrown: unknown) => {
        cause = thrown;
        return TIMED_OUT;
      },
    );
    if (outcome === ABORTED) return;
    this.#failedChecks = outcome === TIMED_OUT ? this.#failedChecks + 1 : 0;
    this.#update(outcome === TIMED_OUT ? "failing" : "working", "check", cause);
    this.schedule();
  }

  #update(observation: Observation, by: Observer, cause: unknown): void {
    const { status: from } = this.#health;
    this.#health = nextHealth(this.#health, observation, by, this.#options);
    const to = this.#health.status;
    if (to !== from) this.#options.onStatus({ from, to, cause });
  }

  #delayMs(): number {
    const { healthIntervalMs, probeDelayMs } = this.#options;
    if (this.#health.failures === 0) return healthIntervalMs;
    return Math.min(healthIntervalMs, probeDelayMs * 2 ** Math.min(this.#failedChecks, 30));
  }
}
