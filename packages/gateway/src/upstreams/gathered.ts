/** Smaller pieces are copied: each by itself costs more than its bytes, and keeps the whole read that it came in. */
const SMALL = 4_096;
const BLOCK = 16_384;

/** Bytes that come in pieces, held in about as much memory as they have. */
export class Gathered {
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** The last piece, where it is a block with room at its end. */
  #block: Buffer | undefined = undefined;
  #used = 0;

  get bytes(): number {
    return this.#bytes;
  }

  push(piece: Buffer): void {
    this.#bytes += piece.length;
    if (piece.length >= SMALL || this.#pieces.length === 0) {
      this.#close();
      this.#pieces.push(piece);
      return;
    }
    if (this.#block !== undefined && this.#used + piece.length > BLOCK) this.#close();
    if (this.#block === undefined) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK);
      this.#used = 0;
      this.#pieces.push(this.#block);
    }
    this.#used += piece.copy(this.#block, this.#used);
  }

  /** All bytes; then it is empty. */
  take(): Buffer {
    this.#close();
    const pieces = this.#pieces;
    const [first] = pieces;
    const all = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, this.#bytes);
    this.#pieces = [];
    this.#bytes = 0;
    return all;
  }

  #close(): void {
    if (this.#block === undefined) return;
    this.#pieces[this.#pieces.length - 1] = this.#block.subarray(0, this.#used);
    this.#block = undefined;
  }
}
