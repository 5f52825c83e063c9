import type { Holder } from "../call/caller.ts";

export interface FairPoolOptions {
  readonly capacity: number;
  /** A share is never smaller than this. */
  readonly least: number;
  /** How many may wait in the queue of one caller. @default 128 */
  readonly maxWaiting?: number;
  readonly now?: () => number;
}

interface TenantUse {
  readonly callers: Map<string, CallerUse>;
}

interface CallerUse {
  readonly tenant: string;
  held: number;
  usedMs: number;
}

interface PoolWaiter {
  readonly holder: Holder;
  readonly units: number;
  readonly resolve: (isTaken: boolean) => void;
}

/** A caller that held nothing for this long does not count when shares are made. */
const ACTIVE_MS = 60_000;
const POOL_SWEEP_MS = 5_000;
/** The part of a pool that only callers who hold little can use, so that one caller alone never locks out the next. */
const RESERVE = 1 / 8;

/**
 * Something of which there is only so much, divided among callers and tenants. While half of it is free, every caller
 * takes what it needs. Above that a caller takes no more than its share: the pool divided by the tenants that were
 * active in the last minute, and the part of its tenant divided by the tenant's active callers.
 */
export class FairPool {
  readonly capacity: number;
  readonly #least: number;
  readonly #maxWaiting: number;
  readonly #now: () => number;
  readonly #tenants = new Map<string, TenantUse>();
  /** Queues by caller. The caller that was served last stands last. */
  readonly #queues = new Map<string, PoolWaiter[]>();
  #held = 0;
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor({ capacity, least, maxWaiting = 128, now = () => performance.now() }: FairPoolOptions) {
    this.capacity = capacity;
    this.#least = least;
    this.#maxWaiting = maxWaiting;
    this.#now = now;
  }

  get held(): number {
    return this.#held;
  }

  /** What a caller holds now. */
  heldBy({ id, tenant }: Holder): number {
    return this.#tenants.get(tenant)?.callers.get(id)?.held ?? 0;
  }

  /** What a caller may hold when the pool is scarce. */
  fairShare({ tenant }: Holder): number {
    const callers = this.#tenants.get(tenant)?.callers.size ?? 1;
    return Math.max(this.#least, Math.floor(this.#tenantShare / Math.max(1, callers)));
  }

  /** Takes units at once; false if the caller has to wait, or to be refused. */
  take(holder: Holder, units: number): boolean {
    const use = this.#useOf(holder);
    // Who waits already is served first: a new call must not pass it.
    if (this.#queues.has(holder.id) || !this.#admits(holder, use, units)) return false;
    this.#count(use, units);
    return true;
  }

  /** Counts units that are held already, whatever the share is. */
  add(holder: Holder, units: number): void {
    this.#count(this.#useOf(holder), units);
  }

  /** Waits in the queue of the caller; false if the queue is full or the signal was aborted first. */
  wait(holder: Holder, units: number, signal: AbortSignal): Promise<boolean> {
    const queue = this.#queues.get(holder.id) ?? [];
    if (queue.length >= this.#maxWaiting || signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = () => {
        this.#remove(holder.id, waiter);
        resolve(false);
      };
      const waiter: PoolWaiter = {
        holder,
        units,
        resolve: (isTaken) => {
          signal.removeEventListener("abort", leave);
          resolve(isTaken);
        },
      };
      queue.push(waiter);
      this.#queues.set(holder.id, queue);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Gives units back. Waiting callers get them, one after the other. */
  give(holder: Holder, units: number): void {
    this.#count(this.#useOf(holder), -units);
    if (this.#queues.size > 0) this.#serve();
  }

  get #tenantShare(): number {
    return this.capacity / Math.max(1, this.#tenants.size);
  }

  #admits(holder: Holder, { held }: CallerUse, units: number): boolean {
    const after = this.#held + units;
    if (after <= this.capacity / 2) return true;
    const isReserve = after > this.capacity * (1 - RESERVE);
    const share = this.fairShare(holder);
    if (after > this.capacity || held + units > (isReserve ? this.#least : share)) return false;
    if (this.#tenants.size <= 1) return true;
    const { sum, largest } = this.#heldByTenant(holder.tenant);
    // What one caller holds beyond its share does not count against others of its tenant, except in the reserve.
    const forgiven = isReserve ? 0 : Math.max(0, largest - share);
    return sum - forgiven + units <= this.#tenantShare;
  }

  #heldByTenant(tenant: string): { readonly sum: number; readonly largest: number } {
    let sum = 0;
    let largest = 0;
    for (const { held } of this.#tenants.get(tenant)?.callers.values() ?? []) {
      sum += held;
      largest = Math.max(largest, held);
    }
    return { sum, largest };
  }

  #useOf({ id, tenant }: Holder): CallerUse {
    const nowMs = this.#now();
    if (nowMs - this.#sweptMs >= POOL_SWEEP_MS) this.#sweep(nowMs);
    let group = this.#tenants.get(tenant);
    if (group === undefined) {
      group = { callers: new Map() };
      this.#tenants.set(tenant, group);
    }
    let use = group.callers.get(id);
    if (use === undefined) {
      use = { tenant, held: 0, usedMs: nowMs };
      group.callers.set(id, use);
    }
    use.usedMs = nowMs;
    return use;
  }

  #count(use: CallerUse, units: number): void {
    use.held += units;
    this.#held += units;
  }

  /** Forgets callers that were not active, and tenants without callers. */
  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs;
    for (const [tenant, { callers }] of this.#tenants) {
      for (const [id, { held, usedMs }] of callers) {
        if (held <= 0 && nowMs - usedMs >= ACTIVE_MS) callers.delete(id);
      }
      if (callers.size === 0) this.#tenants.delete(tenant);
    }
  }

  #serve(): void {
    let isServed: boolean;
    do {
      isServed = false;
      // Those who are served go to the end, so the copy keeps this round to one for each caller.
      for (const [id, queue] of [...this.#queues]) {
        const [first] = queue;
        if (first === undefined) continue;
        const use = this.#useOf(first.holder);
        if (!this.#admits(first.holder, use, first.units)) continue;
        isServed = true;
        this.#count(use, first.units);
        this.#remove(id, first);
        first.resolve(true);
      }
    } while (isServed && this.#queues.size > 0);
  }

  /** Takes one that waits out of its queue, and puts the queue behind the others. */
  #remove(id: string, waiter: PoolWaiter): void {
    const queue = this.#queues.get(id);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    this.#queues.delete(id);
    if (queue.length > 0) this.#queues.set(id, queue);
  }
}
