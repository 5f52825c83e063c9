/** How many characters are kept for all sessions together. */
export interface KeptChars {
  chars: number;
}

const MAX_KEPT_URIS = 1_000;
const MAX_CHARS = 131_072;
/** The characters of all sessions up to which each may have as many. */
const MAX_ALL_CHARS = 32 * 1_048_576;
/** What a session may have in any case, so that nobody is crowded out. */
const MIN_CHARS = 8_192;

/** The URIs that one session follows. They are kept as long as the session has a stream, so they are counted. */
export class KeptUris implements Iterable<string> {
  readonly #uris = new Set<string>();
  readonly #all: KeptChars;
  #chars = 0;
  #isClosed = false;

  /** @param all What all sessions have together. */
  constructor(all: KeptChars) {
    this.#all = all;
  }

  get size(): number {
    return this.#uris.size;
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  /** Keeps a URI; false if the session has as many as it may. */
  add(uri: string): boolean {
    if (this.#uris.has(uri)) return true;
    const chars = this.#chars + uri.length;
    const maxChars = this.#all.chars + uri.length <= MAX_ALL_CHARS ? MAX_CHARS : MIN_CHARS;
    if (this.#isClosed || this.#uris.size >= MAX_KEPT_URIS || chars > maxChars) return false;
    this.#uris.add(uri);
    this.#count(uri.length);
    return true;
  }

  delete(uri: string): void {
    if (this.#uris.delete(uri)) this.#count(-uri.length);
  }

  close(): void {
    this.#isClosed = true;
    this.#uris.clear();
    this.#count(-this.#chars);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#uris.values();
  }

  #count(chars: number): void {
    this.#chars += chars;
    this.#all.chars += chars;
  }
}
