import { sleep } from "@recourse/core/wire";
import { isDataError } from "@recourse/stores/postgres";

/** Options of an `AwayGate`. */
export interface AwayGateOptions {
  /** Asked while the service is down, until it answers. */
  readonly probe: () => Promise<unknown>;
  readonly onSwitch: (state: "away" | "back", cause?: unknown) => void;
  /** How long one question may take. @default 1_000 */
  readonly timeoutMs?: number;
  /** How long to wait between two probes. @default 250 */
  readonly probeEveryMs?: number;
}

/**
 * Stands before a service that can be away: after a failure nothing waits for it until a probe has succeeded. Data that the
 * service refuses fail their own question only.
 */
export class AwayGate {
  readonly #options: Required<AwayGateOptions>;
  readonly #closing = new AbortController();
  #isAway = false;

  constructor({ timeoutMs = 1_000, probeEveryMs = 250, ...options }: AwayGateOptions) {
    this.#options = { ...options, timeoutMs, probeEveryMs };
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Runs a question. It rejects at once while the service is down. */
  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isAway) throw new Error("away");
    try {
      return await this.#inTime(ask());
    } catch (cause) {
      this.#leave(cause);
      throw cause;
    }
  }

  /** A question beside `run` was not answered. */
  failed(cause: unknown): void {
    this.#leave(cause);
  }

  /** Ends the probing. */
  close(): void {
    this.#closing.abort();
  }

  /** Every question passes it, so it costs a timer only. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("no answer in time")), this.#options.timeoutMs);
      void work.then(resolve, reject).then(() => clearTimeout(timer));
    });
  }

  #leave(cause: unknown): void {
    if (this.#isAway || this.#closing.signal.aborted || isDataError(cause)) return;
    this.#isAway = true;
    this.#options.onSwitch("away", cause);
    void this.#probeUntilBack();
  }

  async #probeUntilBack(): Promise<void> {
    const { probe, probeEveryMs, onSwitch } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await sleep(probeEveryMs, signal);
        await this.#inTime(probe());
        if (signal.aborted) return;
        this.#isAway = false;
        onSwitch("back");
        return;
      } catch {
        // Still away, or closing.
      }
    }
  }
}
