import type { HeldOutcome } from "../call/call.ts";
import type { Holder } from "../call/caller.ts";
import { FairPool } from "../limits/fair-pool.ts";

interface HeldOutcomesOptions {
  readonly keepMs?: number | undefined;
  /** The bytes that are kept, divided among callers. @default 32 MiB */
  readonly maxBytes?: number | undefined;
  readonly now: () => number;
}

interface KeptOutcome {
  readonly holder: Holder;
  readonly outcome: HeldOutcome;
  readonly bytes: number;
  readonly endsMs: number;
}

const KEEP_OUTCOME_MS = 5 * 60_000;
const MAX_OUTCOME_BYTES = 32 * 1_024 * 1_024;
/** What an outcome takes beside its answer; a fault is never larger. */
const OUTCOME_BYTES = 4_096;

/** What came of held calls for which nobody waited. Each is given once, to its caller, and forgotten after some minutes. */
export class HeldOutcomes {
  readonly #keepMs: number;
  readonly #now: () => number;
  readonly #bytes: FairPool;
  /** The oldest first. */
  readonly #kept = new Map<string, KeptOutcome>();
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor({ keepMs = KEEP_OUTCOME_MS, maxBytes = MAX_OUTCOME_BYTES, now }: HeldOutcomesOptions) {
    this.#keepMs = keepMs;
    this.#now = now;
    this.#bytes = new FairPool({ capacity: maxBytes, least: maxBytes / 32, now });
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Keeps an outcome, unless its caller has its share of the memory already. */
  keep(id: string, holder: Holder, outcome: HeldOutcome): void {
    const bytes = OUTCOME_BYTES + ("answer" in outcome ? outcome.answer.length : 0);
    if (!this.#bytes.take(holder, bytes)) return;
    this.#kept.set(id, { holder, outcome, bytes, endsMs: this.#now() + this.#keepMs });
    this.#timer ??= setTimeout(() => this.#sweep(), this.#keepMs).unref();
  }

  take(id: string, caller: string): HeldOutcome | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.holder.id !== caller) return undefined;
    this.#forget(id, kept);
    return kept.endsMs > this.#now() ? kept.outcome : undefined;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#kept.clear();
  }

  #forget(id: string, { holder, bytes }: KeptOutcome): void {
    this.#kept.delete(id);
    this.#bytes.give(holder, bytes);
  }

  #sweep(): void {
    this.#timer = undefined;
    for (const [id, kept] of this.#kept) {
      const leftMs = kept.endsMs - this.#now();
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#sweep(), leftMs).unref();
        return;
      }
      this.#forget(id, kept);
    }
  }
}
