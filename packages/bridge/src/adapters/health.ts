import { ABORTED, type Clock, runLimited, TIMED_OUT } from "@recourse/wire";
import type { AdapterBreakerRules, AdapterLimits, BackendStatus } from "./options.ts";

/** What a call or a check shows about the backend. */
export type Observation = "working" | "failing" | "inconclusive";

/** Where an observation comes from: a tool call, or a health check. */
export type ObservationSource = "call" | "check";

/** The status of a backend and the failures behind it. */
export interface Health {
  readonly status: BackendStatus;
  /** Failures in a row. */
  readonly failures: number;
}

/** A backend that has not failed yet. */
export const HEALTHY: Health = Object.freeze({ status: "healthy", failures: 0 });

/** The health after one more observation. */
export function nextHealth(
  health: Health,
  observation: Observation,
  by: ObservationSource,
  breaker: Pick<AdapterBreakerRules, "failures" | "degradedFailures">,
): Health {
  // A call that began before the backend went down says nothing about it now: only a check ends the outage.
  if (observation === "inconclusive" || (health.status === "down" && by === "call")) return health;
  if (observation === "working") return HEALTHY;
  const failures = health.failures + 1;
  if (failures >= breaker.failures) return { failures, status: "down" };
  return { failures, status: failures >= breaker.degradedFailures ? "degraded" : "healthy" };
}

/** Options of a monitor. */
interface MonitorOptions extends Pick<AdapterLimits, "healthIntervalMs" | "healthTimeoutMs"> {
  readonly breaker: AdapterBreakerRules;
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

  /** How long calls are refused: until the next check of a backend that is down. Undefined if calls may be made. */
  get refusedForMs(): number | undefined {
    if (this.#health.status !== "down") return undefined;
    const leftMs = this.#nextCheckAtMs - this.#options.clock.now();
    // A check is running: if it fails, the next one comes after a delay.
    return leftMs > 0 ? leftMs : this.#options.breaker.pauseMs;
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

  #update(observation: Observation, by: ObservationSource, cause: unknown): void {
    const { status: from } = this.#health;
    this.#health = nextHealth(this.#health, observation, by, this.#options.breaker);
    const to = this.#health.status;
    if (to !== from) this.#options.onStatus({ from, to, cause });
  }

  #delayMs(): number {
    const { healthIntervalMs, breaker } = this.#options;
    if (this.#health.failures === 0) return healthIntervalMs;
    return Math.min(breaker.maxPauseMs, breaker.pauseMs * 2 ** Math.min(this.#failedChecks, 30));
  }
}
