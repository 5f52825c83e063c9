import type { CallerCount, CountBatch, CountTime, ToolCount } from "./counts.ts";
import { OTHER_NAME } from "./counts.ts";

/** Names that one process counts separately in one minute. */
const MAX_MINUTE_NAMES = 200;

/** How names are read, and what stands for those that are too many. */
interface Naming<T> {
  readonly nameOf: (count: T) => string;
  readonly asOther: (count: T) => T;
}

/** Keeps the number of names of a minute bounded: the largest of its first counts, then those that come first. */
export class MinuteNames {
  #minuteMs = 0;
  readonly #names = new Set<string>();

  /** The counts, with the names that are too many replaced. */
  limit<T extends { readonly n: number }>(
    minuteMs: number,
    counts: readonly T[],
    { nameOf, asOther }: Naming<T>,
  ): readonly T[] {
    if (minuteMs !== this.#minuteMs) this.#names.clear();
    this.#minuteMs = minuteMs;
    return counts
      .toSorted((one, other) => other.n - one.n)
      .map((count) => {
        const name = nameOf(count);
        if (this.#names.size < MAX_MINUTE_NAMES) this.#names.add(name);
        return this.#names.has(name) ? count : asOther(count);
      });
  }
}

/** Entries that wait by name. */
const MAX_WAITING = 20_000;

/**
 * Counts that wait to be written. While the database is down they are added up: by name up to a number of entries, then without
 * names. None is lost.
 */
export class WaitingCounts {
  readonly #max: number;
  #tools = new Map<string, ToolCount & CountTime>();
  #callers = new Map<string, CallerCount & CountTime>();
  #taken: CountBatch | undefined;

  /** @param max Entries of tools, and of callers, that wait by name. @default 20_000 */
  constructor(max: number = MAX_WAITING) {
    this.#max = max;
  }

  /** Whether everything is written. */
  get isEmpty(): boolean {
    return this.#taken === undefined && this.#tools.size === 0 && this.#callers.size === 0;
  }

  /** How many entries wait, those of the batch under way apart. */
  get size(): number {
    return this.#tools.size + this.#callers.size;
  }

  addTool(count: ToolCount, { minuteMs }: CountTime): void {
    const nameless = { ...count, upstream: OTHER_NAME, tool: OTHER_NAME };
    const keyOf = ({ outcome, upstream, tool }: ToolCount) => [outcome, minuteMs, upstream, tool].join("\n");
    const isNamed = this.#tools.size < this.#max || this.#tools.has(keyOf(count));
    const added = isNamed ? count : nameless;
    const known = this.#tools.get(keyOf(added));
    if (known === undefined) this.#tools.set(keyOf(added), { ...added, durations: [...added.durations], minuteMs });
    else {
      known.n += count.n;
      for (const [index, n] of count.durations.entries()) known.durations[index] = (known.durations[index] ?? 0) + n;
    }
  }

  addCaller(count: CallerCount, { minuteMs }: CountTime): void {
    const nameless = { ...count, tenant: "", caller: OTHER_NAME, policy: count.policy === "" ? "" : OTHER_NAME };
    const keyOf = ({ what, tenant, caller, policy }: CallerCount) =>
      [what, minuteMs, tenant, caller, policy].join("\n");
    const isNamed = this.#callers.size < this.#max || this.#callers.has(keyOf(count));
    const added = isNamed ? count : nameless;
    const known = this.#callers.get(keyOf(added));
    if (known === undefined) this.#callers.set(keyOf(added), { ...added, minuteMs });
    else {
      known.n += count.n;
      known.lastMs = Math.max(known.lastMs, count.lastMs);
    }
  }

  /** The batch under way, or a new one; undefined if nothing waits. */
  take(): CountBatch | undefined {
    if (this.#taken !== undefined || this.isEmpty) return this.#taken;
    this.#taken = { tools: [...this.#tools.values()], callers: [...this.#callers.values()] };
    this.#tools = new Map();
    this.#callers = new Map();
    return this.#taken;
  }

  /** The batch under way is written. */
  written(): void {
    this.#taken = undefined;
  }

  /** Forgets what a caller did, by what it may be kept as. */
  erase(forms: readonly string[]): void {
    const isLeft = ({ caller }: CallerCount) => !forms.includes(caller);
    this.#callers = new Map([...this.#callers].filter(([, count]) => isLeft(count)));
    if (this.#taken !== undefined) this.#taken = { ...this.#taken, callers: this.#taken.callers.filter(isLeft) };
  }
}
