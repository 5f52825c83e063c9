import type { CallerCount, CountBatch, CountTime, ToolCount } from "./counts.ts";
import { OTHER_NAME } from "./counts.ts";

/** Names that one process counts separately in one minute. */
const MAX_MINUTE_NAMES = 200;

/** How names are read, and what stands for those that are too many. */
interface Naming<T> {
  readonly nameOf: (count: T) => string;
  readonly asOther: (count: T) => T;
}

/**
 * Keeps the number of names of a minute bounded. Counts come in several times a minute, so the names that were busiest
 * in the minute before and in the first counts of this one are counted separately.
 */
export class Busiest {
  readonly #max: number;
  #minuteMs = 0;
  #names = new Set<string>();
  #sums = new Map<string, number>();
  #before = new Map<string, number>();

  /** @param max How many names are counted separately. @default 200 */
  constructor(max: number = MAX_MINUTE_NAMES) {
    this.#max = max;
  }

  /** The counts, with the names that are too many replaced. */
  limit<T extends { readonly n: number }>(minuteMs: number, counts: readonly T[], naming: Naming<T>): readonly T[] {
    if (minuteMs !== this.#minuteMs) {
      this.#before = this.#sums;
      this.#sums = new Map();
      this.#names = new Set();
      this.#minuteMs = minuteMs;
    }
    if (counts.length === 0) return counts;
    const { nameOf, asOther } = naming;
    const weights = new Map<string, number>();
    for (const count of counts) weights.set(nameOf(count), (weights.get(nameOf(count)) ?? 0) + count.n);
    const isRoom = this.#names.size + weights.size <= this.#max;
    const weight = (name: string) => (weights.get(name) ?? 0) + (this.#before.get(name) ?? 0);
    const names = isRoom
      ? [...weights.keys()]
      : [...weights.keys()].toSorted((one, other) => weight(other) - weight(one));
    for (const name of names) {
      if (!this.#names.has(name) && this.#names.size >= this.#max) continue;
      this.#names.add(name);
      this.#sums.set(name, (this.#sums.get(name) ?? 0) + (weights.get(name) ?? 0));
    }
    return counts.map((count) => (this.#names.has(nameOf(count)) ? count : asOther(count)));
  }
}

/** Entries that wait by minute; twice as many wait by hour. */
const MAX_WAITING = 20_000;

/**
 * Counts that wait to be written. While the database is down they are added up: by minute up to a number of entries, then by
 * hour, then without names. None is lost.
 */
export class WaitingCounts {
  readonly #max: number;
  #tools = new Map<string, ToolCount & CountTime>();
  #callers = new Map<string, CallerCount & CountTime>();
  #taken: CountBatch | undefined;

  /** @param max Entries of tools, and of callers, that wait by minute. @default 20_000 */
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

  /** Adds calls of a tool. */
  addTool(count: ToolCount, { minuteMs, hourMs }: CountTime): void {
    const { upstream, tool, outcome } = count;
    const nameless = { ...count, upstream: OTHER_NAME, tool: OTHER_NAME };
    const key = (time: number | undefined, ...names: string[]) =>
      [outcome, time ?? `hour ${hourMs}`, ...names].join("\n");
    addBounded(
      this.#tools,
      this.#max,
      [
        [key(minuteMs, upstream, tool), () => ({ ...copyDurations(count), minuteMs, hourMs })],
        [key(undefined, upstream, tool), () => ({ ...copyDurations(count), minuteMs: undefined, hourMs })],
        [key(undefined, OTHER_NAME, OTHER_NAME), () => ({ ...copyDurations(nameless), minuteMs: undefined, hourMs })],
      ],
      (known) => {
        known.n += count.n;
        for (const [index, n] of count.durations.entries()) known.durations[index] = (known.durations[index] ?? 0) + n;
      },
    );
  }

  /** Adds what a caller did. */
  addCaller(count: CallerCount, { minuteMs, hourMs }: CountTime): void {
    const { what, tenant, caller, policy } = count;
    const nameless = { ...count, tenant: "", caller: OTHER_NAME, policy: policy === "" ? "" : OTHER_NAME };
    const key = (time: number | undefined, ...names: string[]) => [what, time ?? `hour ${hourMs}`, ...names].join("\n");
    addBounded(
      this.#callers,
      this.#max,
      [
        [key(minuteMs, tenant, caller, policy), () => ({ ...count, minuteMs, hourMs })],
        [key(undefined, tenant, caller, policy), () => ({ ...count, minuteMs: undefined, hourMs })],
        [key(undefined, "", OTHER_NAME, nameless.policy), () => ({ ...nameless, minuteMs: undefined, hourMs })],
      ],
      (known) => {
        known.n += count.n;
        known.lastMs = Math.max(known.lastMs, count.lastMs);
      },
    );
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

function copyDurations(count: ToolCount): ToolCount {
  return { ...count, durations: [...count.durations] };
}

/** A key and the entry that it stands for. */
type Entry<T> = readonly [key: string, make: () => T];

/** Adds to the finest entry that is there or for which there is room. The last one is always taken. */
function addBounded<T>(
  to: Map<string, T>,
  max: number,
  entries: readonly [minute: Entry<T>, hour: Entry<T>, nameless: Entry<T>],
  addTo: (known: T) => void,
): void {
  const rooms = [max, 2 * max, Number.POSITIVE_INFINITY];
  for (const [index, [key, make]] of entries.entries()) {
    const known = to.get(key);
    if (known !== undefined) {
      addTo(known);
      return;
    }
    if (to.size < (rooms[index] ?? 0)) {
      to.set(key, make());
      return;
    }
  }
}
