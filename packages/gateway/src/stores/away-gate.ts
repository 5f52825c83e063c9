import { Outage } from "@recourse/core/retry";
import { sleep } from "@recourse/core/wire";
import { isDataError } from "@recourse/stores/postgres";

export interface AwayGateOptions {
  readonly probe: () => Promise<unknown>;
  readonly onSwitch: (state: "away" | "back", cause?: unknown) => void;
  /** How long one question may take. @default 1_000 */
  readonly timeoutMs?: number;
  /** The longest wait between two probes. @default 250 */
  readonly probeEveryMs?: number | undefined;
}

/**
 * Stands before a service that can be down: after a failure nothing waits for it until a probe has succeeded. Data that the
 * service refuses fail their own question only.
 */
export class AwayGate {
  readonly #timeoutMs: number;
  readonly #outage: Outage;

  constructor({ timeoutMs = 1_000, probeEveryMs: pauseMs, probe, onSwitch }: AwayGateOptions) {
    this.#timeoutMs = timeoutMs;
    this.#outage = new Outage({
      probe: () => this.#inTime(probe()),
      onSwitch: (state, cause) => (state === "away" ? onSwitch(state, cause) : onSwitch(state)),
      pauseMs,
      clock: { monotonic: () => performance.now(), sleep },
      random: Math.random,
    });
  }

  get isAway(): boolean {
    return this.#outage.isDown;
  }

  /** Runs a question. It rejects at once while the service is down. */
  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.isAway) throw new Error("away");
    try {
      return await this.#inTime(ask());
    } catch (cause) {
      this.failed(cause);
      throw cause;
    }
  }

  /** A question was not answered. */
  failed(cause: unknown): void {
    if (!isDataError(cause)) this.#outage.failed(cause);
  }

  close(): void {
    this.#outage.close();
  }

  /** Every question passes it, so it costs a timer only. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("no answer in time")), this.#timeoutMs);
      void work.then(resolve, reject).then(() => clearTimeout(timer));
    });
  }
}
