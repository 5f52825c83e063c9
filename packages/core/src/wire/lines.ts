// Lines of bytes, as NDJSON and the stdio transport have them: a line may not be UTF-8, so it stays bytes.
import { ByteCollector, CARRIAGE_RETURN, LINE_FEED } from "./bytes.ts";

/** Options of a `LineReader`. */
export interface LineReaderOptions {
  /**
   * Receives each line without its end, LF or CR LF; empty lines are left out. `size` is its length without the line feed.
   * It may be part of the bytes that were pushed.
   */
  readonly onLine: (line: Uint8Array, size: number) => void;
  /** The most bytes of a line, without its line feed. @default no limit */
  readonly maxBytes?: number;
  /** Receives a line over the limit piece by piece, from its beginning, as it passes. @default it is dropped */
  readonly onExcess?: (piece: Uint8Array) => void;
  /** A line over the limit has ended. @default nothing is called */
  readonly onTooLong?: (size: number) => void;
  /** Keeps the end of each line, counts its line feed, and gives empty lines too. @default false */
  readonly keepEnd?: boolean;
}

/** Splits bytes into lines. It does not matter in which pieces the bytes come, and a line over the limit is never held. */
export class LineReader {
  readonly #options: LineReaderOptions;
  readonly #maxBytes: number;
  readonly #held = new ByteCollector();
  /** The length of the line so far. */
  #size = 0;
  #excess = 0;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Bytes of lines over the limit, of all such lines so far. */
  get excessBytes(): number {
    return this.#excess;
  }

  push(chunk: Uint8Array): void {
    const ending = this.#options.keepEnd === true ? 1 : 0;
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      this.#add(chunk.subarray(from, at + ending));
      this.#endLine();
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** Takes what came after the last line feed for a line. */
  end(): void {
    if (this.#size > 0) this.#endLine();
  }

  #add(part: Uint8Array): void {
    const wasTooLong = this.#size > this.#maxBytes;
    this.#size += part.length;
    if (!wasTooLong) this.#held.push(part);
    if (this.#size <= this.#maxBytes) return;
    this.#excess += wasTooLong ? part.length : this.#size;
    const { onExcess } = this.#options;
    for (const piece of wasTooLong ? [part] : this.#held.takePieces()) onExcess?.(piece);
  }

  #endLine(): void {
    const line = this.#held.take();
    const size = this.#size;
    this.#size = 0;
    const { onLine, onTooLong, keepEnd = false } = this.#options;
    if (size > this.#maxBytes) {
      onTooLong?.(size);
      return;
    }
    const text = !keepEnd && line[size - 1] === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    if (text.length > 0) onLine(text, size);
  }
}

/** Options of `readLines`. */
export interface ReadLinesOptions {
  /** The most bytes of a line; of a longer one only its beginning is given. @default no limit */
  readonly maxBytes?: number;
  /** Gives what follows the last line feed as a line too. @default false */
  readonly lastLine?: boolean;
}

export interface StreamLine {
  /** The line without its line feed, or the beginning of one that is too long. */
  readonly bytes: Uint8Array;
  /** Whether the line was too long. */
  readonly isCut: boolean;
}

/** All lines of a stream, also the empty ones. At most one of them is held beyond the chunk that was read last. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes = Number.POSITIVE_INFINITY, lastLine = false }: ReadLinesOptions = {},
): AsyncGenerator<StreamLine> {
  const lines: StreamLine[] = [];
  const beginning = new ByteCollector();
  const reader = new LineReader({
    keepEnd: true,
    maxBytes: maxBytes + 1,
    onLine(line) {
      const bytes = line.at(-1) === LINE_FEED ? line.subarray(0, -1) : line;
      lines.push({ bytes: bytes.subarray(0, maxBytes), isCut: bytes.length > maxBytes });
    },
    onExcess: (piece) => beginning.push(piece.subarray(0, maxBytes - beginning.bytes)),
    onTooLong() {
      lines.push({ bytes: beginning.take(), isCut: true });
    },
  });
  for await (const chunk of chunks) {
    reader.push(chunk);
    yield* lines.splice(0);
  }
  if (lastLine) reader.end();
  yield* lines.splice(0);
}
