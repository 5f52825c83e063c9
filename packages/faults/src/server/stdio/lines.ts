import { parseJson } from "../../json/read.ts";
import { joinBytes } from "../http/read-stream.ts";

const NEWLINE = 0x0a;

/** A line with its end, or what is left of one that is too long. */
export type Line =
  | { readonly bytes: Uint8Array }
  | { readonly tooLong: { readonly size: number; readonly outline: unknown } };

/** Splits a stream of chunks into lines. Of a line that is too long, only the outline is kept. */
export class Lines {
  readonly #max: number;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #outline: Outline | undefined;

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
    this.#outline ??= new Outline();
    for (const held of this.#pieces.splice(0)) this.#outline.add(held);
  }

  #finish(): Line {
    const { 0: first, length } = this.#pieces;
    const line: Line =
      this.#outline !== undefined
        ? { tooLong: { size: this.#size, outline: this.#outline.read() } }
        : { bytes: length === 1 && first !== undefined ? first : joinBytes(this.#pieces, this.#size) };
    this.#pieces = [];
    this.#size = 0;
    this.#outline = undefined;
    return line;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** The most bytes of an outline. */
const MAX_OUTLINE = 4_096;

/**
 * The outermost level of a JSON text that is too long to keep: nested values are dropped as the bytes pass, so that the id
 * of a message can be found wherever it stands.
 */
class Outline {
  readonly #kept: number[] = [];
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isOpening = !this.#inString && OPENING.has(byte);
      if (!this.#inString && CLOSING.has(byte)) this.#depth -= 1;
      // The brackets of nested values stay, so that the rest is still JSON.
      if (this.#depth <= 1 && this.#kept.length <= MAX_OUTLINE) this.#kept.push(byte);
      if (isOpening) this.#depth += 1;
      if (byte === QUOTE && !this.#isEscaped) this.#inString = !this.#inString;
      this.#isEscaped = this.#inString && byte === BACKSLASH && !this.#isEscaped;
    }
  }

  /** The outermost level as a value; undefined when the text is not JSON, or that level alone is too long. */
  read(): unknown {
    if (this.#kept.length > MAX_OUTLINE) return undefined;
    return parseJson(new TextDecoder().decode(new Uint8Array(this.#kept)));
  }
}
