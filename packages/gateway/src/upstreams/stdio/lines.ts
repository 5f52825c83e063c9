/** What a `LineSplitter` finds. */
export interface LineHandlers {
  /** A line without its end. Empty lines are left out. */
  readonly onLine: (line: Buffer) => void;
  /** A line over the limit: its first and last bytes, and its length. */
  readonly onTooLong: (line: { readonly head: Buffer; readonly tail: Buffer; readonly bytes: number }) => void;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** Bytes that are kept of both ends of a line over the limit, to see which message it answers. */
const ENDS = 256;

/** Splits bytes into lines. A line over the limit is dropped as it arrives. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  #kept: Buffer[] = [];
  #bytes = 0;
  /** Set while the line is over the limit. */
  #head: Buffer | undefined = undefined;

  constructor(maxBytes: number, handlers: LineHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  push(piece: Buffer): void {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, from)) {
      this.#add(piece.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    if (from < piece.length) this.#add(piece.subarray(from));
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    this.#kept.push(part);
    if (this.#bytes <= this.#maxBytes) return;
    const all = Buffer.concat(this.#kept);
    this.#head ??= Buffer.from(all.subarray(0, ENDS));
    // Copied, so that the pieces it came in can be freed.
    this.#kept = [Buffer.from(all.subarray(-ENDS))];
  }

  #end(): void {
    const [first] = this.#kept;
    const line = this.#kept.length === 1 && first !== undefined ? first : Buffer.concat(this.#kept);
    const head = this.#head;
    const bytes = this.#bytes;
    this.#kept = [];
    this.#bytes = 0;
    this.#head = undefined;
    if (head !== undefined) {
      this.#handlers.onTooLong({ head, tail: line, bytes });
      return;
    }
    const text = line.at(-1) === RETURN ? line.subarray(0, -1) : line;
    if (text.length > 0) this.#handlers.onLine(text);
  }
}
