/** No shorter string can be searched for: strings are found by a part of this length, their anchor. */
export const MIN_STRING_LENGTH = 6;

/** How many places of a string are tried for its anchor. */
const ANCHOR_PLACES = 8;
const BASE = 0x01000193;
const DROP = power(BASE, MIN_STRING_LENGTH);

interface SearchEntry {
  readonly text: string;
  /** Where the anchor starts in the text. */
  readonly offset: number;
  readonly anchor: string;
  uses: number;
}

/** Finds any of many strings in a text in one pass (Rabin-Karp). Its cost hardly depends on how many there are. */
export class StringSearch {
  readonly #byText = new Map<string, SearchEntry>();
  readonly #byAnchor = new Map<string, SearchEntry[]>();
  #bits = new Int32Array(128);
  #shortest = Number.POSITIVE_INFINITY;

  /** The length of the shortest string that was ever added. */
  get shortest(): number {
    return this.#shortest;
  }

  /** Adds a string of at least six characters. A string that was added twice has to be removed twice. */
  add(text: string): void {
    const known = this.#byText.get(text);
    if (known) {
      known.uses++;
      return;
    }
    this.#shortest = Math.min(this.#shortest, text.length);
    const offset = this.#freeOffset(text);
    const entry: SearchEntry = { text, offset, anchor: text.slice(offset, offset + MIN_STRING_LENGTH), uses: 1 };
    this.#byText.set(text, entry);
    const bucket = this.#byAnchor.get(entry.anchor);
    if (bucket) bucket.push(entry);
    else this.#byAnchor.set(entry.anchor, [entry]);
    if (this.#byAnchor.size * 2 > this.#bits.length) this.#grow();
    else this.#mark(entry.anchor);
  }

  /** Takes one `add` back. Its bit stays set, which only costs a lookup. */
  remove(text: string): void {
    const entry = this.#byText.get(text);
    if (!entry || --entry.uses > 0) return;
    this.#byText.delete(text);
    const rest = (this.#byAnchor.get(entry.anchor) ?? []).filter((other) => other !== entry);
    if (rest.length > 0) this.#byAnchor.set(entry.anchor, rest);
    else this.#byAnchor.delete(entry.anchor);
  }

  /** Tells whether the text contains any of the strings. */
  foundIn(text: string): boolean {
    if (this.#byText.size === 0) return false;
    const bits = this.#bits;
    const mask = bits.length * 32 - 1;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      const dropped = end < MIN_STRING_LENGTH ? 0 : text.charCodeAt(end - MIN_STRING_LENGTH);
      // Kept to 32 bits, since engines count much faster with these.
      hash = (Math.imul(hash, BASE) + text.charCodeAt(end) - Math.imul(dropped, DROP)) | 0;
      const bit = mixBits(hash) & mask;
      const mayStart = ((bits[bit >>> 5] as number) >>> (bit & 31)) & 1;
      if (mayStart === 1 && end >= MIN_STRING_LENGTH - 1 && this.#at(text, end + 1 - MIN_STRING_LENGTH)) return true;
    }
    return false;
  }

  #at(text: string, start: number): boolean {
    const bucket = this.#byAnchor.get(text.slice(start, start + MIN_STRING_LENGTH));
    return bucket?.some((entry) => text.startsWith(entry.text, start - entry.offset)) ?? false;
  }

  // Secrets of one vendor start alike, so the anchor is taken from the place that fewest other strings use.
  #freeOffset(text: string): number {
    const last = text.length - MIN_STRING_LENGTH;
    let best = last;
    let least = Number.POSITIVE_INFINITY;
    for (let part = ANCHOR_PLACES; part >= 0; part--) {
      const offset = Math.floor((last * part) / ANCHOR_PLACES);
      const others = this.#byAnchor.get(text.slice(offset, offset + MIN_STRING_LENGTH))?.length ?? 0;
      if (others < least) {
        best = offset;
        least = others;
      }
    }
    return best;
  }

  #grow(): void {
    this.#bits = new Int32Array(this.#bits.length * 4);
    for (const anchor of this.#byAnchor.keys()) this.#mark(anchor);
  }

  #mark(anchor: string): void {
    let hash = 0;
    for (let i = 0; i < MIN_STRING_LENGTH; i++) hash = (Math.imul(hash, BASE) + anchor.charCodeAt(i)) | 0;
    const bit = mixBits(hash) & (this.#bits.length * 32 - 1);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] as number) | (1 << (bit & 31));
  }
}

function mixBits(hash: number): number {
  return hash ^ (hash >>> 15);
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = Math.imul(product, base);
  return product;
}
