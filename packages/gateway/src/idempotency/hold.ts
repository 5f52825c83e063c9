import { sleep } from "@recourse/core/wire";
import type { Observer } from "../call/observer.ts";

interface HoldWatchOptions {
  /** Until when new keys are held; undefined if they are not. */
  readonly read: () => Promise<Date | undefined>;
  readonly observer: Pick<Observer, "switched" | "log">;
  /** How often a hold is read again while it lasts: it can be prolonged, and taken away. @default 2_000 */
  readonly everyMs?: number;
}

/**
 * Tells operators about a hold of idempotency keys, which the restore of a backup leaves in the database. It only watches:
 * the database itself refuses the keys, for every replica, whether it has seen the hold or not.
 */
export class HoldWatch {
  readonly #options: Required<HoldWatchOptions>;
  readonly #closing = new AbortController();
  #untilMs: number | undefined;
  #watching: Promise<void> | undefined;

  constructor({ everyMs = 2_000, ...options }: HoldWatchOptions) {
    this.#options = { ...options, everyMs };
  }

  /** Looks whether there is a hold, and watches it until it is over. It never rejects. */
  look(): Promise<void> {
    this.#watching ??= this.#watch().finally(() => {
      this.#watching = undefined;
    });
    return this.#watching;
  }

  close(): void {
    this.#closing.abort();
  }

  async #watch(): Promise<void> {
    const { read, everyMs } = this.#options;
    const { signal } = this.#closing;
    try {
      do {
        // While the database is down, the hold is what it was.
        await read().then((until) => this.#found(until), ignoreFailure);
        if (this.#untilMs !== undefined) await sleep(everyMs, signal);
      } while (this.#untilMs !== undefined && !signal.aborted);
    } catch {
      // Closing.
    }
  }

  #found(until: Date | undefined): void {
    if (this.#closing.signal.aborted || until?.getTime() === this.#untilMs) return;
    const { observer } = this.#options;
    if (this.#untilMs !== undefined) observer.switched("hold", "back", "calls with a new idempotency key are served");
    this.#untilMs = until?.getTime();
    if (until !== undefined) observer.switched("hold", "away", holdText(until));
  }
}

function holdText(until: Date): string {
  return `The database was restored. Calls with a new idempotency key are refused until ${until.toISOString()}. Other calls continue.`;
}

function ignoreFailure(): void {}
