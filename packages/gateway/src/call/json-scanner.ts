import { COLON, COMMA, OPEN_OBJECT, QUOTE } from "@recourse/core/wire";
import { isTextAt, type Span, skipSpace, skipString, skipValue, TOO_DEEP } from "./json-bytes.ts";

/** A member of an object in bytes. */
export interface MemberSpan {
  /** Its name; names with escapes are refused, so this is the text between the quotation marks. */
  readonly name: string;
  /** Where the member begins: at the quotation mark of its name. */
  readonly start: number;
  /** Where its value stands. */
  readonly value: Span;
}

/** How deep a message may be nested. */
export const MAX_MESSAGE_DEPTH = 64;

/** Shorter texts cannot be nested so deep that parsing them costs much, and are looked at once they are parsed. */
const MIN_SCANNED = 1_024;

/** Whether a text is nested too deep to be parsed: each level costs time. It may be no JSON at all. */
export function isTooDeep(bytes: Uint8Array): boolean {
  return bytes.length > MIN_SCANNED && skipValue(bytes, skipSpace(bytes, 0), MAX_MESSAGE_DEPTH) === TOO_DEEP;
}

const NO_MEMBERS: readonly MemberSpan[] = [];
const NO_KEYS: readonly string[] = [];

/** Scans the value of a member instead of the scanner. */
type ScanValue = () => void;

/** Finds members of objects in bytes that `JSON.parse` has accepted; on other bytes it ends too, with meaningless spans. */
export class JsonScanner {
  readonly #bytes: Uint8Array;
  #at = 0;
  #depth = 0;
  /** Why what was found does not count. */
  problem: "depth" | "key" | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * The members of the object that begins here; none if none begins. `within` names members that are scanned by a call of
   * this method in turn. `parsed` is what `JSON.parse` made of the object: it keeps one of several members of a name.
   */
  object(parsed: unknown, within?: (name: string) => ScanValue | undefined): readonly MemberSpan[] {
    const bytes = this.#bytes;
    this.#skipSpace();
    if (bytes[this.#at] !== OPEN_OBJECT) {
      this.#skipValue();
      return NO_MEMBERS;
    }
    this.#at += 1;
    this.#depth += 1;
    const found: MemberSpan[] = [];
    const keys = typeof parsed === "object" && parsed !== null ? Object.keys(parsed) : NO_KEYS;
    while (this.problem === undefined) {
      this.#skipSpace();
      const start = this.#at;
      if (bytes[start] !== QUOTE) break;
      this.#skipString();
      const name = this.#nameAt(start + 1, Math.max(start + 1, this.#at - 1), keys[found.length]);
      this.#skipSpace();
      if (bytes[this.#at] !== COLON) break;
      this.#at += 1;
      this.#skipSpace();
      const valueStart = this.#at;
      const scan = within?.(name);
      if (scan === undefined) this.#skipValue();
      else scan();
      found.push({ name, start, value: { start: valueStart, end: this.#at } });
      this.#skipSpace();
      if (bytes[this.#at] !== COMMA) break;
      this.#at += 1;
    }
    this.#at += 1;
    this.#depth -= 1;
    if (found.length !== keys.length) this.problem ??= "key";
    return found;
  }

  /** The text of a name. Parsed objects nearly always keep the order of the text, and comparing costs less than decoding. */
  #nameAt(start: number, end: number, expected: string | undefined): string {
    if (expected !== undefined && isTextAt(this.#bytes, start, end, expected)) return expected;
    // Of the names that matter, all are ASCII.
    const name = readLatin1(this.#bytes, start, end);
    if (name.includes("\\")) this.problem = "key";
    return name;
  }

  /** Goes behind a value. */
  #skipValue(): void {
    const end = skipValue(this.#bytes, this.#at, MAX_MESSAGE_DEPTH - this.#depth);
    if (end === TOO_DEEP) this.problem = "depth";
    this.#at = end < 0 ? this.#bytes.length : end;
  }

  #skipSpace(): void {
    this.#at = skipSpace(this.#bytes, this.#at);
  }

  /** Goes behind the quotation mark at the end of a string. */
  #skipString(): void {
    const end = skipString(this.#bytes, this.#at);
    this.#at = end < 0 ? this.#bytes.length : end;
  }
}

/** The most arguments that a call of a function gets. */
const CHUNK = 4_096;

function readLatin1(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + CHUNK)));
  }
  return text;
}
