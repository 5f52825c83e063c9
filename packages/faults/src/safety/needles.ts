/** The length of the part of a needle that is looked up; no needle may be shorter. */
export const ANCHOR = 8;

const BASE = 0x01000193;
const DROP = power(BASE, ANCHOR);

interface Needle {
  readonly text: string;
  readonly offset: number;
  readonly anchor: string;
  uses: number;
}

/** Finds any of many strings in a text, in one pass whose cost hardly depends on how many there are. */
export class Needles {
  readonly #byText = new Map<string, Needle>();
  readonly #byAnchor = new Map<string, Needle[]>();
  #bits = new Uint32Array(128);

  /** Adds one string of at least eight characters; one added twice must be removed twice. */
  add(text: string): void {
    const known = this.#byText.get(text);
    if (known) {
      known.uses++;
      return;
    }
    const offset = this.#freeOffset(text);
    const needle: Needle = { text, offset, anchor: text.slice(offset, offset + ANCHOR), uses: 1 };
    this.#byText.set(text, needle);
    const bucket = this.#byAnchor.get(needle.anchor);
    if (bucket) bucket.push(needle);
    else this.#byAnchor.set(needle.anchor, [needle]);
    if (this.#byAnchor.size * 2 > this.#bits.length) this.#grow();
    else this.#mark(needle.anchor);
  }

  /** Takes back one `add`; marks that stay behind only cost a lookup. */
  remove(text: string): void {
    const needle = this.#byText.get(text);
    if (!needle || --needle.uses > 0) return;
    this.#byText.delete(text);
    const rest = (this.#byAnchor.get(needle.anchor) ?? []).filter((other) => other !== needle);
    if (rest.length > 0) this.#byAnchor.set(needle.anchor, rest);
    else this.#byAnchor.delete(needle.anchor);
  }

  /** Tells whether any of the strings is a part of the text. */
  foundIn(text: string): boolean {
    if (this.#byText.size === 0) return false;
    const bits = this.#bits;
    const mask = bits.length * 32 - 1;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      hash = Math.imul(hash, BASE) + text.charCodeAt(end);
      if (end >= ANCHOR) hash -= Math.imul(text.charCodeAt(end - ANCHOR), DROP);
      const bit = spread(hash) & mask;
      if (((bits[bit >>> 5] as number) >>> (bit & 31)) & 1 && end >= ANCHOR - 1 && this.#at(text, end + 1 - ANCHOR))
        return true;
    }
    return false;
  }

  #at(text: string, start: number): boolean {
    const bucket = this.#byAnchor.get(text.slice(start, start + ANCHOR));
    return bucket?.some((needle) => text.startsWith(needle.text, start - needle.offset)) ?? false;
  }

  // Secrets of one vendor share their beginning, so the anchor lies where fewest others have theirs.
  #freeOffset(text: string): number {
    const last = text.length - ANCHOR;
    let best = last;
    let least = Number.POSITIVE_INFINITY;
    for (const offset of [last, last >> 1, 0]) {
      const others = this.#byAnchor.get(text.slice(offset, offset + ANCHOR))?.length ?? 0;
      if (others < least) {
        best = offset;
        least = others;
      }
    }
    return best;
  }

  #grow(): void {
    this.#bits = new Uint32Array(this.#bits.length * 4);
    for (const anchor of this.#byAnchor.keys()) this.#mark(anchor);
  }

  #mark(anchor: string): void {
    let hash = 0;
    for (let i = 0; i < ANCHOR; i++) hash = Math.imul(hash, BASE) + anchor.charCodeAt(i);
    const bit = spread(hash) & (this.#bits.length * 32 - 1);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] as number) | (1 << (bit & 31));
  }
}

function spread(hash: number): number {
  const folded = hash | 0;
  return folded ^ (folded >>> 15);
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = Math.imul(product, base);
  return product;
}
