import type { Clock, Random } from "../wire/clock.ts";
import { type BreakerMoment, type BreakerState, CLOSED_BREAKER, recordSignal, requestPermit } from "./breaker.ts";

/** Options of an `Outage`. */
export interface OutageOptions {
  /** Asked while the service is down. It rejects until the service is up again, and ends in its own time. */
  readonly probe: () => Promise<unknown>;
  /** Called by the failure that begins an outage, and when it has ended. */
  readonly onSwitch: (state: "away" | "back", cause?: unknown) => void;
  /** The longest pause between two probes, in milliseconds; at most half of it is left out, at random. @default 250 */
  readonly pauseMs?: number | undefined;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  readonly random: Random;
}

/**
 * The outages of a service: the first failure begins one, and a probe that succeeds ends it. This is the breaker's machine
 * with a probe that nobody has to call.
 */
export class Outage {
  readonly #options: OutageOptions;
  readonly #closing = new AbortController();
  #state: BreakerState = CLOSED_BREAKER;
  #cause: unknown;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  get isDown(): boolean {
    return this.#state.at !== "closed";
  }

  /** What began the outage. */
  get cause(): unknown {
    return this.#cause;
  }

  failed(cause: unknown): void {
    if (this.isDown || this.#closing.signal.aborted) return;
    this.#cause = cause;
    this.#state = recordSignal(this.#state, { go: true, probe: false }, "failure", this.#moment());
    this.#options.onSwitch("away", cause);
    void this.#probeUntilUp();
  }

  /** Ends the probing. The service stays as it was. */
  close(): void {
    this.#closing.abort();
  }

  async #probeUntilUp(): Promise<void> {
    const { probe, onSwitch, clock } = this.#options;
    const { signal } = this.#closing;
    while (this.#state.at === "open") {
      const { untilMs } = this.#state;
      await clock.sleep(Math.max(0, untilMs - clock.monotonic()), signal).catch(() => {});
      if (signal.aborted) return;
      // A timer may fire a little before its time.
      const [permit, probing] = requestPermit(this.#state, { ...this.#moment(), nowMs: untilMs });
      this.#state = probing;
      if (!permit.go) continue;
      const shown = await probe().then(
        () => "success" as const,
        () => "failure" as const,
      );
      if (signal.aborted) return;
      this.#state = recordSignal(this.#state, permit, shown, this.#moment());
    }
    onSwitch("back", this.#cause);
  }

  #moment(): BreakerMoment {
    const { clock, random, pauseMs = 250 } = this.#options;
    return { nowMs: clock.monotonic(), random: random(), rules: { failures: 1, pauseMs, maxPauseMs: pauseMs } };
  }
}
