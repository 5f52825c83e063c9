/** An entry of a `StateMap`. */
interface HeldEntry<V> {
  readonly holder: string;
  readonly value: V;
}

const MAX_LOOKED_AT = 64;

/**
 * A map with a bound. If it is full, a holder of more than its share (the whole, divided by the holders) loses its
 * oldest entry: the one who adds, or else one of the others. So nobody can push out what is held for those who hold
 * little.
 */
export class StateMap<V> {
  readonly #max: number;
  readonly #entries = new Map<string, HeldEntry<V>>();
  /** The keys of each holder, the oldest first. */
  readonly #held = new Map<string, Set<string>>();

  /** @param max The most entries that it holds. */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Adds an entry, or makes the one of this key the newest. */
  set(holder: string, key: string, value: V): void {
    this.delete(key);
    if (this.#entries.size >= this.#max) this.#makeRoom(holder);
    let keys = this.#held.get(holder);
    if (keys === undefined) {
      keys = new Set();
      this.#held.set(holder, keys);
    }
    keys.add(key);
    this.#entries.set(key, { holder, value });
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    const keys = this.#held.get(entry.holder);
    keys?.delete(key);
    if (keys?.size === 0) this.#held.delete(entry.holder);
  }

  #makeRoom(holder: string): void {
    const own = this.#held.get(holder);
    const share = this.#max / (this.#held.size + (own === undefined ? 1 : 0));
    if (own !== undefined && own.size > share) {
      this.#deleteFirst(own);
      return;
    }
    let looked = 0;
    for (const [key, entry] of this.#entries) {
      const keys = this.#held.get(entry.holder);
      if (keys !== undefined && keys.size > share) {
        this.#deleteFirst(keys);
        return;
      }
      looked += 1;
      if (looked > MAX_LOOKED_AT) break;
      // It is looked at again only after all others.
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    this.#deleteFirst(own ?? this.#entries.keys());
  }

  #deleteFirst(keys: Iterable<string>): void {
    for (const key of keys) {
      this.delete(key);
      return;
    }
  }
}
