import { Skeleton } from "./skeleton.ts";

const NEWLINE = 0x0a;

/** A line with its end, or what is left of one that is too long. */
export type Line =
  | { readonly bytes: Uint8Array }
  | { readonly tooLong: { readonly size: number; readonly skeleton: unknown } };

/** Puts lines together from the chunks of a stream, and keeps of one that is too long only its outline. */
export class Lines {
  readonly #max: number;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #skeleton: Skeleton | undefined;

  /** `max` is the most bytes of a line, its end included. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The lines that end in a chunk. */
  *take(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, end + 1));
      yield this.#finish();
      from = end + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  #hold(piece: Uint8Array): void {
    this.#size += piece.length;
    this.#pieces.push(piece);
    if (this.#size <= this.#max) return;
    this.#skeleton ??= new Skeleton();
    for (const held of this.#pieces.splice(0)) this.#skeleton.add(held);
  }

  #finish(): Line {
    const { 0: first, length } = this.#pieces;
    const skeleton = this.#skeleton?.read();
    const line: Line =
      this.#skeleton !== undefined
        ? { tooLong: { size: this.#size, skeleton } }
        : { bytes: length === 1 && first !== undefined ? first : joined(this.#pieces, this.#size) };
    this.#pieces = [];
    this.#size = 0;
    this.#skeleton = undefined;
    return line;
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
