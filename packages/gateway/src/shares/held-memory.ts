import type { FairPool, Holder } from "./fair-pool.ts";

/** The bytes that are held for one call, counted against the share of its caller. */
export class HeldMemory {
  readonly #pool: FairPool;
  readonly #holder: Holder;
  #bytes = 0;

  constructor(pool: FairPool, holder: Holder) {
    this.#pool = pool;
    this.#holder = holder;
  }

  /** Takes bytes; false where the caller holds its share already. */
  take(bytes: number): boolean {
    if (!this.#pool.take(this.#holder, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts bytes that are held already. */
  add(bytes: number): void {
    this.#pool.add(this.#holder, bytes);
    this.#bytes += bytes;
  }

  /** Gives all of them back. */
  end(): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (bytes > 0) this.#pool.give(this.#holder, bytes);
  }
}
