// Positions in the bytes of a JSON text, so that parts of it can be passed on as they were written: numbers such as 1e400 do not
// survive being parsed and written again. Nothing here checks the text: on bytes that are not JSON the functions end too.

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  parseJson,
  QUOTE,
  SPACE,
} from "@recourse/core/wire";

/** A part of bytes: from `start` up to, but without, `end`. */
export interface Span {
  /** The position of its first byte. */
  readonly start: number;
  /** The position after its last byte. */
  readonly end: number;
}

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
  while ((bytes[at] ?? QUOTE) <= SPACE) at += 1;
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
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= SPACE) break;
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
