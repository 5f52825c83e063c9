// Positions in the bytes of a JSON text, so that parts of it can be passed on as they were written: numbers such as 1e400 do not
// survive being parsed and written again. Nothing here checks the text: on bytes that are not JSON the functions end too.

import { parseJson } from "./json.ts";

/** A part of bytes: from `start` up to, but without, `end`. */
export interface Span {
  /** The position of its first byte. */
  readonly start: number;
  /** The position after its last byte. */
  readonly end: number;
}

/** The byte `"`. */
export const QUOTE = 0x22;
/** The byte of a backslash. */
export const BACKSLASH = 0x5c;
/** The byte of a comma. */
export const COMMA = 0x2c;
export const COLON = 0x3a;
/** The byte `{`. */
export const OPEN_OBJECT = 0x7b;
/** The byte `}`. */
export const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** Space, and the control characters that are white space in JSON. */
const MAX_SPACE = 0x20;

const MAX_ASCII = 0x7f;

/** The value does not end. */
const ENDLESS = -1;
/** The value is nested deeper than allowed. */
export const TOO_DEEP = -2;

/** So many bytes of a string are looked at one by one; the search of the platform is faster for longer strings only. */
const SHORT_STRING = 64;
/** It is slower again for JSON within a string: after some marks in a row that are this near, bytes are looked at. */
const NEAR_QUOTE = 12;
const DENSE_QUOTES = 3;
const DENSE_BYTES = 256;

/** The first byte that is not white space, from a position on. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] ?? QUOTE) <= MAX_SPACE) at += 1;
  return at;
}

/** The position after the string that begins at a quotation mark, or `ENDLESS`. */
export function skipString(bytes: Uint8Array, quote: number): number {
  let at = quote + 1;
  let looked = SHORT_STRING;
  let dense = 0;
  for (;;) {
    const near = Math.min(bytes.length, at + looked);
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      at += byte === BACKSLASH ? 2 : 1;
    }
    const end = bytes.indexOf(QUOTE, at);
    if (end === -1) return ENDLESS;
    let before = end - 1;
    // Never before `at`: up to there every escape is read already.
    while (before >= at && bytes[before] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
    dense = end - at < NEAR_QUOTE ? dense + 1 : 0;
    looked = dense < DENSE_QUOTES ? 0 : DENSE_BYTES;
    at = end + 1;
  }
}

/** The position after the value that begins at a position, or `ENDLESS`, or `TOO_DEEP`. */
export function skipValue(bytes: Uint8Array, start: number, maxDepth: number = Number.POSITIVE_INFINITY): number {
  const first = bytes[start];
  if (first === QUOTE) return skipString(bytes, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(bytes, start);
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      if (at === ENDLESS) return ENDLESS;
      continue;
    }
    at += 1;
    // Nearly all bytes come before the brackets.
    if (byte < OPEN_ARRAY) continue;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > maxDepth) return TOO_DEEP;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return ENDLESS;
}

function skipScalar(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= MAX_SPACE) break;
    at += 1;
  }
  return at === start ? ENDLESS : at;
}

/**
 * Whether bytes are this text, as JSON writes it: also false if the text is not ASCII or has escapes, since then it may be
 * written in several ways. Comparing costs less than decoding.
 */
export function isTextAt(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== bytes[start + at] || code > MAX_ASCII || code === BACKSLASH) return false;
  }
  return true;
}

/** Receives a member: where its key stands, without quotation marks, and where its value stands. */
type VisitMember = (keyStart: number, keyEnd: number, value: Span) => boolean;

/** Visits the members of the object at `start` and returns the position after it; -1 if it is not an object, or the visit ends it. */
export function eachMember(bytes: Uint8Array, start: number, visit: VisitMember): number {
  if (bytes[start] !== OPEN_OBJECT) return -1;
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) return -1;
    const keyEnd = skipString(bytes, at);
    if (keyEnd < 0) return -1;
    const keyStart = at + 1;
    at = skipSpace(bytes, keyEnd);
    if (bytes[at] !== COLON) return -1;
    const valueStart = skipSpace(bytes, at + 1);
    const valueEnd = skipValue(bytes, valueStart);
    if (valueEnd < 0) return -1;
    if (!visit(keyStart, keyEnd - 1, { start: valueStart, end: valueEnd })) return -1;
    at = skipSpace(bytes, valueEnd);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    if (bytes[at] !== COMMA) return -1;
    at = skipSpace(bytes, at + 1);
  }
}

/** The values of a member of the object at `start`, in the order of the text, also if its key is escaped or repeated. */
export function valuesOf(bytes: Uint8Array, start: number, key: string): readonly Span[] {
  const found: Span[] = [];
  eachMember(bytes, start, (keyStart, keyEnd, value) => {
    if (isNamed(bytes, keyStart, keyEnd, key)) found.push(value);
    return true;
  });
  return found;
}

/**
 * The members of the object at `start`, by their names. Undefined if it is not an object, or a name is repeated, also in
 * another spelling: two parsers could then read two objects.
 */
export function membersOf(bytes: Uint8Array, start: number): ReadonlyMap<string, Span> | undefined {
  const found = new Map<string, Span>();
  const end = eachMember(bytes, start, (keyStart, keyEnd, value) => {
    const name = decodeKey(bytes, keyStart, keyEnd);
    if (name === undefined || found.has(name)) return false;
    found.set(name, value);
    return true;
  });
  return end === -1 ? undefined : found;
}

/**
 * The elements of the array at `start`, one after the other, so that a long array need not be held and can be left. It returns
 * false if it is not an array, or breaks off.
 */
export function* elementsOf(bytes: Uint8Array, start: number): Generator<Span, boolean, void> {
  if (bytes[start] !== OPEN_ARRAY) return false;
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_ARRAY) return true;
  for (;;) {
    const end = skipValue(bytes, at);
    if (end < 0) return false;
    yield { start: at, end };
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_ARRAY) return true;
    if (bytes[at] !== COMMA) return false;
    at = skipSpace(bytes, at + 1);
  }
}

function isNamed(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (isTextAt(bytes, start, end, name)) return true;
  // Comparing costs less than decoding, and only escapes and letters beyond ASCII need it.
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte > MAX_ASCII || byte === BACKSLASH) return decodeKey(bytes, start, end) === name;
  }
  return false;
}

const UTF8 = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** The name that a key stands for; undefined if it is not written as JSON writes one. */
function decodeKey(bytes: Uint8Array, start: number, end: number): string | undefined {
  // Keys are short and plain; a decoder costs more than their letters.
  let plain = "";
  let at = start;
  while (at < end && (bytes[at] as number) <= MAX_ASCII && bytes[at] !== BACKSLASH) {
    plain += String.fromCharCode(bytes[at] as number);
    at += 1;
  }
  if (at >= end) return plain;
  const key = UTF8.decode(bytes.subarray(start, end));
  if (!key.includes("\\")) return key;
  const name = parseJson(`"${key}"`, Number.POSITIVE_INFINITY);
  return typeof name === "string" ? name : undefined;
}

/** Longer names and values are not those of an id or a method. */
const MAX_KEPT_BYTES = 256;
/** A message has four members, each with a name and a value. One with many more is not read on: each costs time. */
const MAX_READS = 128;

/**
 * Reads method and id of a JSON-RPC message while its bytes go by, so that a call that is too large to be kept can still be
 * answered. It keeps no more than a few hundred bytes.
 */
export class MessageOutline {
  #depth = 0;
  #isEnded = false;
  /** It is certain that this is not one message, so the rest is not looked at. */
  #isLost = false;
  #isInText = false;
  #isEscaped = false;
  #reads = 0;
  #kept: number[] = [];
  #key: unknown;
  readonly #found = new Map<unknown, unknown[]>();

  /** Takes the next bytes of the message. */
  take(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.#isLost) {
      if (this.#depth > 1) {
        at = this.#skipInner(bytes, at);
      } else {
        this.#takeByte(bytes[at] as number);
        at += 1;
      }
    }
  }

  /** The id of the message, if it is whole; undefined if it has none, or the id is not certain. */
  get id(): string | number | undefined {
    const id = this.#only("id");
    return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : undefined;
  }

  /** The id of the message, if it is a whole request; undefined for an answer, and if the id is not certain. */
  get requestId(): string | number | undefined {
    return typeof this.#only("method") === "string" ? this.id : undefined;
  }

  /** The id of the message, if it is a whole call of a tool; undefined for any other, and if the id is not certain. */
  get callId(): string | number | undefined {
    return this.#only("method") === "tools/call" ? this.id : undefined;
  }

  /** The value of a member that the whole message has once. */
  #only(name: string): unknown {
    const [value, ...others] = this.#found.get(name) ?? [];
    return this.#isEnded && !this.#isLost && others.length === 0 ? value : undefined;
  }

  /** Goes to the end of a value within the message, or of the bytes. Nearly all bytes of a large message pass here. */
  #skipInner(bytes: Uint8Array, from: number): number {
    let at = from;
    let depth = this.#depth;
    let isInText = this.#isInText;
    let isEscaped = this.#isEscaped;
    while (at < bytes.length && depth > 1) {
      const byte = bytes[at];
      at += 1;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    }
    this.#depth = depth;
    this.#isInText = isInText;
    this.#isEscaped = isEscaped;
    return at;
  }

  /** A byte of the message itself, or around it. */
  #takeByte(byte: number): void {
    if (this.#depth === 0) {
      if (byte === OPEN_OBJECT && !this.#isEnded) this.#depth = 1;
      else if (byte > MAX_SPACE) this.#isLost = true;
    } else if (this.#isInText) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInText = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#endMember();
      this.#isEnded = true;
      this.#depth = 0;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth = 2;
    else if (byte === COLON) this.#key = this.#read();
    else if (byte === COMMA) this.#endMember();
    else {
      if (byte === QUOTE) this.#isInText = true;
      if (byte > MAX_SPACE) this.#keep(byte);
    }
  }

  #endMember(): void {
    const value = this.#read();
    if (this.#key === "id" || this.#key === "method") {
      this.#found.set(this.#key, [...(this.#found.get(this.#key) ?? []), value]);
    }
    this.#key = undefined;
  }

  #keep(byte: number): void {
    if (this.#kept.length <= MAX_KEPT_BYTES) this.#kept.push(byte);
  }

  /** What was kept, as JSON; undefined if it is not JSON, or was too long. */
  #read(): unknown {
    this.#reads += 1;
    if (this.#reads > MAX_READS) this.#isLost = true;
    const bytes = Uint8Array.from(this.#kept);
    this.#kept = [];
    try {
      return bytes.length > MAX_KEPT_BYTES ? undefined : JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return undefined;
    }
  }
}
