import { Gathered } from "../gathered.ts";

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
const EMPTY = Buffer.alloc(0);

/** Splits bytes into lines. A line over the limit is dropped as it arrives. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  readonly #kept = new Gathered();
  /** The length of the line so far. */
  #bytes = 0;
  /** Both ends of the line, while it is over the limit. */
  #head: Buffer | undefined = undefined;
  #tail: Buffer = EMPTY;
  #dropped = 0;

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

  /** Bytes of lines over the limit, of all such lines so far. */
  get droppedBytes(): number {
    return this.#dropped;
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#head !== undefined) {
      this.#tail = lastBytes(this.#tail, part);
      this.#dropped += part.length;
      return;
    }
    this.#kept.push(part);
    if (this.#bytes <= this.#maxBytes) return;
    const all = this.#kept.take();
    this.#dropped += all.length;
    this.#head = Buffer.from(all.subarray(0, ENDS));
    // Copied, so that the pieces it came in can be freed.
    this.#tail = Buffer.from(all.subarray(-ENDS));
  }

  #end(): void {
    const line = this.#kept.take();
    const head = this.#head;
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#head = undefined;
    if (head !== undefined) {
      this.#handlers.onTooLong({ head, tail: this.#tail, bytes });
      return;
    }
    const text = line.at(-1) === RETURN ? line.subarray(0, -1) : line;
    if (text.length > 0) this.#handlers.onLine(text);
  }
}

function lastBytes(before: Buffer, part: Buffer): Buffer {
  if (part.length >= ENDS) return Buffer.from(part.subarray(-ENDS));
  return Buffer.concat([before, part]).subarray(-ENDS);
}
