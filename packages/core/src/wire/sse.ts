// Server-sent events as the HTML standard defines them, on bytes: the data of an event that came in one piece is not copied.
import { ByteCollector, CARRIAGE_RETURN, COLON, LINE_FEED, SPACE } from "./bytes.ts";

interface SseEvent {
  /** The lines of its data, joined by line feeds. It may be part of the bytes that were pushed. */
  readonly data: Uint8Array;
  /** What the event is called; `message` if it has no name. */
  readonly type: string;
  /** The id that the event itself has. */
  readonly id: string | undefined;
}

/** Options of an `SseReader`. */
export interface SseReaderOptions {
  /** Receives each event as soon as it ends. An event without data does not count. */
  readonly onEvent: (event: SseEvent) => void;
  /** The most bytes of an event, its unfinished line included. @default no limit */
  readonly maxBytes?: number;
  /** An event went over the limit. What is left of it is dropped as it arrives. @default nothing is called */
  readonly onTooLong?: () => void;
}

const NEWLINE = Uint8Array.of(LINE_FEED);
const DEFAULT_TYPE = "message";
/** A mark within the stream is part of the text. */
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads a stream of server-sent events. It does not matter in which pieces the bytes come. */
export class SseReader {
  readonly #options: SseReaderOptions;
  readonly #maxBytes: number;
  /** A line that has not ended. */
  readonly #line = new ByteCollector();
  /** The data of an event that has not ended. */
  readonly #data = new ByteCollector();
  #dataLines = 0;
  #lines = 0;
  #type = DEFAULT_TYPE;
  #id: string | undefined = undefined;
  #isFirstLine = true;
  /** The last chunk ended in a carriage return, which may be one half of a line end. */
  #afterReturn = false;
  #isTooLong = false;
  /** Whether an unfinished line of an event over the limit has any bytes. */
  #hasDropped = false;

  constructor(options: SseReaderOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Bytes that wait for the end of their event. */
  get heldBytes(): number {
    return this.#line.bytes + this.#data.bytes;
  }

  get lines(): number {
    return this.#lines;
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    if (this.#afterReturn && chunk.length > 0) {
      this.#afterReturn = false;
      if (chunk[0] === LINE_FEED) at = 1;
    }
    let lf = -1;
    let cr = -1;
    while (at < chunk.length) {
      if (lf < at) lf = findByte(chunk, LINE_FEED, at);
      if (cr < at) cr = findByte(chunk, CARRIAGE_RETURN, at);
      const end = Math.min(lf, cr);
      if (end === chunk.length) {
        this.#hold(chunk.subarray(at));
        return;
      }
      this.#endLine(chunk.subarray(at, end));
      at = end + 1;
      if (end !== cr) continue;
      if (at === chunk.length) this.#afterReturn = true;
      else if (chunk[at] === LINE_FEED) at += 1;
    }
  }

  #hold(piece: Uint8Array): void {
    if (this.#isTooLong) {
      this.#hasDropped = true;
      return;
    }
    this.#line.push(piece);
    if (this.heldBytes <= this.#maxBytes) return;
    this.#hasDropped = true;
    this.#drop();
  }

  #endLine(last: Uint8Array): void {
    this.#lines += 1;
    if (this.#isTooLong) {
      if (!this.#hasDropped && last.length === 0) this.#reset();
      this.#hasDropped = false;
      return;
    }
    let line = last;
    if (this.#line.bytes > 0) {
      this.#line.push(last);
      line = this.#line.take();
    }
    if (line.length + this.#data.bytes > this.#maxBytes) {
      this.#drop();
      return;
    }
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3);
    }
    if (line.length === 0) this.#endEvent();
    else this.#takeField(line);
  }

  #takeField(line: Uint8Array): void {
    if (isField(line, "data")) {
      if (this.#dataLines > 0) this.#data.push(NEWLINE);
      this.#data.push(fieldValue(line, 4));
      this.#dataLines += 1;
    } else if (isField(line, "event")) {
      const value = fieldValue(line, 5);
      this.#type = value.length === 0 || isText(value, DEFAULT_TYPE) ? DEFAULT_TYPE : decoder.decode(value);
    } else if (isField(line, "id")) {
      const value = fieldValue(line, 2);
      if (!value.includes(0)) this.#id = decoder.decode(value);
    }
  }

  #endEvent(): void {
    const event = { data: this.#data.take(), type: this.#type, id: this.#id };
    const isEvent = this.#dataLines > 0;
    this.#reset();
    if (isEvent) this.#options.onEvent(event);
  }

  #drop(): void {
    this.#line.takePieces();
    this.#data.takePieces();
    this.#isTooLong = true;
    this.#isFirstLine = false;
    this.#options.onTooLong?.();
  }

  #reset(): void {
    this.#dataLines = 0;
    this.#type = DEFAULT_TYPE;
    this.#id = undefined;
    this.#isTooLong = false;
  }
}

/** The position of a byte, or the length if it does not occur. */
function findByte(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}

function isField(line: Uint8Array, name: string): boolean {
  if (line.length < name.length || (line.length > name.length && line[name.length] !== COLON)) return false;
  return startsWith(line, name);
}

function fieldValue(line: Uint8Array, nameLength: number): Uint8Array {
  return line.subarray(line[nameLength + 1] === SPACE ? nameLength + 2 : nameLength + 1);
}

function isText(bytes: Uint8Array, text: string): boolean {
  return bytes.length === text.length && startsWith(bytes, text);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text.charCodeAt(at)) return false;
  return true;
}
