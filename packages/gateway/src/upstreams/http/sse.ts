import { Gathered } from "../gathered.ts";

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const COLON = 0x3a;
const NEWLINE = Buffer.from("\n");

/**
 * Splits a stream of server-sent events. Each message is given as the bytes of its data, at once when its event ends. An event
 * that is not ended by an empty line is none.
 */
export class SseSplitter {
  readonly #onMessage: (data: Buffer) => void;
  /** A line that has not ended. */
  readonly #line = new Gathered();
  /** The data of an event that has not ended. */
  readonly #data = new Gathered();
  #dataLines = 0;
  #lines = 0;
  #isMessage = true;
  #isFirstLine = true;
  /** The last chunk ended in a return, which may be one half of a line break. */
  #afterReturn = false;

  constructor(onMessage: (data: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  /** Bytes that wait for the end of their event. */
  get heldBytes(): number {
    return this.#line.bytes + this.#data.bytes;
  }

  /** How many lines have ended. */
  get lines(): number {
    return this.#lines;
  }

  push(chunk: Buffer): void {
    let at = 0;
    if (this.#afterReturn && chunk.length > 0) {
      this.#afterReturn = false;
      if (chunk[0] === LF) at = 1;
    }
    let lf = -1;
    let cr = -1;
    while (at < chunk.length) {
      if (lf < at) lf = find(chunk, LF, at);
      if (cr < at) cr = find(chunk, CR, at);
      const end = Math.min(lf, cr);
      if (end === chunk.length) {
        this.#line.push(chunk.subarray(at));
        return;
      }
      this.#endLine(chunk.subarray(at, end));
      at = end + 1;
      if (end !== cr) continue;
      if (at === chunk.length) this.#afterReturn = true;
      else if (chunk[at] === LF) at += 1;
    }
  }

  #endLine(last: Buffer): void {
    this.#lines += 1;
    let line = last;
    if (this.#line.bytes > 0) {
      this.#line.push(last);
      line = this.#line.take();
    }
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3);
    }
    if (line.length === 0) this.#endEvent();
    else this.#takeField(line);
  }

  #takeField(line: Buffer): void {
    if (isField(line, "data")) {
      if (this.#dataLines > 0) this.#data.push(NEWLINE);
      this.#data.push(fieldValue(line, 4));
      this.#dataLines += 1;
    } else if (isField(line, "event")) {
      const type = fieldValue(line, 5).toString();
      this.#isMessage = type === "" || type === "message";
    }
  }

  #endEvent(): void {
    const isMessage = this.#isMessage;
    this.#isMessage = true;
    if (this.#dataLines === 0) return;
    this.#dataLines = 0;
    const data = this.#data.take();
    if (isMessage) this.#onMessage(data);
  }
}

/** The position of a byte, or the length where it does not occur. */
function find(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}

function isField(line: Buffer, name: string): boolean {
  if (line.length < name.length || (line.length > name.length && line[name.length] !== COLON)) return false;
  return line.toString("latin1", 0, name.length) === name;
}

function fieldValue(line: Buffer, nameLength: number): Buffer {
  return line.subarray(line[nameLength + 1] === SPACE ? nameLength + 2 : nameLength + 1);
}
