export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
/** The byte `"`. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
/** The byte `{`. */
export const OPEN_OBJECT = 0x7b;
/** The byte `}`. */
export const CLOSE_OBJECT = 0x7d;
/** The byte `[`. */
export const OPEN_ARRAY = 0x5b;
/** The byte `]`. */
export const CLOSE_ARRAY = 0x5d;

/** Smaller pieces are copied: each by itself costs more than its bytes, and keeps the whole read that it came in. */
const SMALL_BYTES = 4_096;
const BLOCK_BYTES = 16_384;

/** Collects bytes that come in pieces, in about as much memory as they have. */
export class ByteCollector {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** The last piece, if it is a block with room at its end. */
  #block: Uint8Array | undefined = undefined;
  #used = 0;

  /** How many bytes are held. */
  get bytes(): number {
    return this.#bytes;
  }

  push(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (piece.length >= SMALL_BYTES || this.#pieces.length === 0) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#block !== undefined && this.#used + piece.length > BLOCK_BYTES) this.#closeBlock();
    if (this.#block === undefined) {
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#used = 0;
      this.#pieces.push(this.#block);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** All bytes; a single piece is not copied. The collector is empty afterwards. */
  take(): Uint8Array {
    const bytes = this.#bytes;
    const pieces = this.takePieces();
    const [first] = pieces;
    return pieces.length === 1 && first !== undefined ? first : concatBytes(pieces, bytes);
  }

  /** All bytes in order, in some pieces. The collector is empty afterwards. */
  takePieces(): readonly Uint8Array[] {
    this.#closeBlock();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#bytes = 0;
    return pieces;
  }

  #closeBlock(): void {
    if (this.#block === undefined) return;
    this.#pieces[this.#pieces.length - 1] = this.#block.subarray(0, this.#used);
    this.#block = undefined;
  }
}

/** Several pieces as one. `size` is the sum of their lengths. */
export function concatBytes(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
