import type { LimitBucket } from "./contract.ts";
import { Lease } from "./lease.ts";

/** Buckets without calls for this time are forgotten. */
const IDLE_MS = 10_000;
/** How often idle buckets are looked for, while new ones come. */
const SWEEP_MS = 2_000;

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

  /** The lease of a bucket, made where it is not known. */
  of(bucket: LimitBucket, now: number): Lease {
    const known = this.#byId.get(bucket.id);
    if (known !== undefined) {
      // The rate may have been configured anew.
      known.bucket = bucket;
      return known;
    }
    if (now - this.#sweptAt >= SWEEP_MS) this.#sweep(now);
    // Braces are left to the group alone: what stands in them decides about the slot.
    const key = `${this.#prefix}{${encodeURIComponent(bucket.group)}}:${encodeURIComponent(bucket.id)}`;
    const lease = new Lease(bucket, key);
    this.#byId.set(bucket.id, lease);
    return lease;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [id, lease] of this.#byId) {
      if (lease.isIdle(now, IDLE_MS)) this.#byId.delete(id);
    }
  }
}
