import type { Fault } from "@recourse/core";
import type { MergedLists, PlacedEntry } from "./merged.ts";
import { LIST_METHODS, type ListEntry, type ListMethod } from "./read-list.ts";
import type { Lists, UpstreamLists } from "./upstream-lists.ts";

export interface OwnRead {
  readonly lists: Lists;
  /** The lists that could not be read, with what their failure means for the caller. */
  readonly faults: ReadonlyMap<ListMethod, Fault>;
  /** When the reading began. */
  readonly readMs: number;
  /** From then on it is as if it had not been read. */
  readonly expiresMs: number;
  /** How often in a row something could not be read. */
  readonly failures: number;
}

export interface OwnListsOptions {
  readonly key: string;
  readonly session: string;
  readonly callerId: string;
  /** Monotonic time in ms. */
  readonly now: () => number;
  readonly merge: (lists: ReadonlyMap<UpstreamLists, Lists>) => MergedLists;
}

interface ShownLists {
  readonly shared: MergedLists;
  readonly own: MergedLists;
  readonly entries: Partial<Record<ListMethod, readonly PlacedEntry[]>>;
}

export class OwnLists {
  readonly key: string;
  readonly session: string;
  readonly callerId: string;
  readonly reading = new Map<UpstreamLists, Promise<void>>();
  /** Readings under way that may have asked before the upstream changed. */
  readonly outdated = new Set<UpstreamLists>();
  readonly #options: OwnListsOptions;
  readonly #reads = new Map<UpstreamLists, OwnRead>();
  #merged: MergedLists | undefined;
  /** When something of what is merged expires. */
  #untilMs = 0;
  #shown: ShownLists | undefined;
  #bytes = 0;

  constructor(options: OwnListsOptions) {
    this.#options = options;
    this.key = options.key;
    this.session = options.session;
    this.callerId = options.callerId;
  }

  /** About how many bytes are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The lists that are fresh, merged. */
  get merged(): MergedLists {
    if (this.#merged === undefined || this.#options.now() >= this.#untilMs) {
      const fresh = new Map<UpstreamLists, Lists>();
      this.#untilMs = Number.POSITIVE_INFINITY;
      for (const lists of this.#reads.keys()) {
        const read = this.find(lists);
        if (read === undefined) continue;
        fresh.set(lists, read.lists);
        this.#untilMs = Math.min(this.#untilMs, read.expiresMs);
      }
      this.#merged = this.#options.merge(fresh);
    }
    return this.#merged;
  }

  /** What was read of an upstream; undefined if that is not fresh any more. */
  find(lists: UpstreamLists): OwnRead | undefined {
    const read = this.#reads.get(lists);
    return read === undefined || this.#options.now() >= read.expiresMs ? undefined : read;
  }

  /** How often in a row the lists of an upstream could not be read. */
  failuresAt(lists: UpstreamLists): number {
    return this.#reads.get(lists)?.failures ?? 0;
  }

  /** Whether it is known what is in a list of an upstream. */
  knows(lists: UpstreamLists, method: ListMethod): boolean {
    const read = this.find(lists);
    return read !== undefined && !read.faults.has(method);
  }

  freshMs(lists: UpstreamLists): number {
    return Math.max(0, Math.floor((this.find(lists)?.expiresMs ?? 0) - this.#options.now()));
  }

  store(lists: UpstreamLists, read: OwnRead): void {
    this.#reads.set(lists, read);
    this.#changed();
  }

  /** The lists of an upstream may have changed. */
  forget(lists: UpstreamLists): void {
    if (this.reading.has(lists)) this.outdated.add(lists);
    if (this.#reads.delete(lists)) this.#changed();
  }

  /** What the caller is listed, found once for as long as no list changes. */
  showOnce(method: ListMethod, shared: MergedLists, find: () => readonly PlacedEntry[]): readonly PlacedEntry[] {
    const own = this.merged;
    if (this.#shown?.shared !== shared || this.#shown.own !== own) this.#shown = { shared, own, entries: {} };
    this.#shown.entries[method] ??= find();
    return this.#shown.entries[method];
  }

  #changed(): void {
    this.#merged = undefined;
    this.#shown = undefined;
    this.#bytes = 0;
    for (const { lists } of this.#reads.values()) {
      for (const method of LIST_METHODS) for (const entry of lists[method]) this.#bytes += entryBytes(entry);
    }
  }
}

/** The text of an entry, its parsed schema, and what is made of it. */
function entryBytes({ text }: ListEntry): number {
  return 512 + text.length * 4;
}
