import { StdioWorker, type WorkerOptions } from "./worker.ts";

/** Options of `Workers`. */
export interface WorkersOptions {
  readonly worker: WorkerOptions;
  /** The most children at a time. */
  readonly max: number;
  /** A child without calls is ended after this time; undefined where it is kept. */
  readonly idleMs: number | undefined;
}

interface Slot {
  readonly worker: StdioWorker;
  active: number;
  timer: NodeJS.Timeout | undefined;
}

/** The children of an upstream by their owners: one for all callers, or one for each. */
export class Workers {
  readonly #options: WorkersOptions;
  /** The one that was used last stands last. */
  readonly #slots = new Map<string, Slot>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Works with the child of an owner; undefined where all children are busy with calls of others. */
  async use<T>(owner: string, work: (worker: StdioWorker) => Promise<T>): Promise<T | undefined> {
    const slot = this.#slotOf(owner);
    if (slot === undefined) return undefined;
    clearTimeout(slot.timer);
    slot.active += 1;
    try {
      return await work(slot.worker);
    } finally {
      slot.active -= 1;
      if (slot.active === 0) this.#waitIdle(owner, slot);
    }
  }

  /** Ends all children. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [owner, slot] of this.#slots) void this.#drop(owner, slot);
    await Promise.all(this.#stopping);
  }

  #slotOf(owner: string): Slot | undefined {
    const known = this.#slots.get(owner);
    if (known !== undefined) {
      this.#slots.delete(owner);
      this.#slots.set(owner, known);
      return known;
    }
    if (this.#isClosed) return undefined;
    let ended: Promise<void> | undefined;
    if (this.#slots.size >= this.#options.max) {
      const idle = [...this.#slots].find(([, { active }]) => active === 0);
      if (idle === undefined) return undefined;
      ended = this.#drop(...idle);
    }
    // The place of a child is free when it has ended, so there are never more than the limit.
    const slot: Slot = { worker: new StdioWorker(this.#options.worker, ended), active: 0, timer: undefined };
    this.#slots.set(owner, slot);
    return slot;
  }

  #waitIdle(owner: string, slot: Slot): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined || this.#slots.get(owner) !== slot) return;
    slot.timer = setTimeout(() => this.#drop(owner, slot), idleMs).unref();
  }

  #drop(owner: string, { worker, timer }: Slot): Promise<void> {
    clearTimeout(timer);
    this.#slots.delete(owner);
    // A start that failed was told to its call.
    const stopped = worker
      .stop()
      .catch(() => {})
      .finally(() => this.#stopping.delete(stopped));
    this.#stopping.add(stopped);
    return stopped;
  }
}
