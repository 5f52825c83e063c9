import type { LimitBucket } from "./contract.ts";

/** How far ahead tokens are leased, in ms of the calls seen here. */
const AHEAD_MS = 50;
/** Calls are averaged over about this time. */
const AVERAGE_MS = 200;
/** Below so many calls ahead, leasing gains nothing: each call asks. */
const MIN_AHEAD = 2;
/** If tokens are leased, the server is asked again after this time at the earliest. */
const MIN_REFUSAL_MS = 10;

/** What this process knows about one bucket. Its times are monotonic, in ms. */
export class Lease {
  bucket: LimitBucket;
  readonly key: string;
  /** Tokens that may be spent here. */
  held = 0;
  /** When they end: before the server forgets them. */
  until = Number.NEGATIVE_INFINITY;
  /** Whether the server has tokens of this process on record, spent or not. */
  recorded = false;
  /** Counts the requests that said what is held: tokens taken before such a request are not on record after it. */
  epoch = 0;
  /** The request that says what is held, while it is under way. There is one at most. */
  renewal: Promise<void> | undefined = undefined;
  lastSeen = Number.NEGATIVE_INFINITY;
  #perMs = 0;
  #refusedUntil = Number.NEGATIVE_INFINITY;
  #refusedCost = 0;

  constructor(bucket: LimitBucket, key: string) {
    this.bucket = bucket;
    this.key = key;
  }

  see(now: number, cost: number): void {
    this.#perMs = this.#perMs * Math.exp((this.lastSeen - now) / AVERAGE_MS) + cost / AVERAGE_MS;
    this.lastSeen = now;
  }

  /** Tokens that may be spent now. */
  usable(now: number): number {
    if (now >= this.until) {
      this.held = 0;
      this.recorded = false;
    }
    return this.held;
  }

  /** How many tokens to lease besides those of a call; 0 if each call asks. */
  ahead(cost: number): number {
    const tokens = Math.floor(this.#perMs * AHEAD_MS);
    return tokens < MIN_AHEAD * cost ? 0 : Math.min(tokens, this.bucket.burst);
  }

  /** The server has refused this cost. */
  refuse(options: { readonly now: number; readonly cost: number; readonly waitMs: number; readonly leased: boolean }) {
    const { now, cost, waitMs, leased } = options;
    this.#refusedUntil = now + (leased ? Math.max(waitMs, MIN_REFUSAL_MS) : waitMs);
    this.#refusedCost = cost;
  }

  /** The wait in ms if this cost is refused without asking; else 0. */
  refusedFor(now: number, cost: number): number {
    if (now >= this.#refusedUntil || cost < this.#refusedCost) return 0;
    return this.#refusedUntil - now + ((cost - this.#refusedCost) / this.bucket.perSecond) * 1_000;
  }

  /** Whether nothing would be lost if it were forgotten. */
  isIdle(now: number, idleMs: number): boolean {
    return (
      now - this.lastSeen >= idleMs && now >= this.#refusedUntil && now >= this.until && this.renewal === undefined
    );
  }
}

/** Buckets without calls for this time are forgotten. */
const FORGET_IDLE_MS = 10_000;
/** How often idle buckets are looked for, while new ones come. */
const LEASE_SWEEP_MS = 2_000;

/** What this process knows about buckets: those of the last seconds. */
export class Leases {
  readonly #prefix: string;
  readonly #byId = new Map<string, Lease>();
  #sweptAt = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(bucket: LimitBucket): Lease | undefined {
    return this.#byId.get(bucket.id);
  }

  /** The lease of a bucket, made if it is not known. */
  of(bucket: LimitBucket, now: number): Lease {
    const known = this.#byId.get(bucket.id);
    if (known !== undefined) {
      // The rate may have been configured anew.
      known.bucket = bucket;
      return known;
    }
    if (now - this.#sweptAt >= LEASE_SWEEP_MS) this.#sweep(now);
    // Braces are left to the group alone: what stands in them decides about the slot.
    const key = `${this.#prefix}{${encodeURIComponent(bucket.group)}}:${encodeURIComponent(bucket.id)}`;
    const lease = new Lease(bucket, key);
    this.#byId.set(bucket.id, lease);
    return lease;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [id, lease] of this.#byId) {
      if (lease.isIdle(now, FORGET_IDLE_MS)) this.#byId.delete(id);
    }
  }
}
