// Positions in the bytes of a JSON text. Nothing here checks the text: on bytes that are not JSON the functions end too.

/** A part of bytes: from `start` up to, but without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
/** Space, and the control characters that are white space in JSON. */
const MAX_SPACE = 0x20;

/** The value does not end. */
const ENDLESS = -1;
/** The value is nested deeper than allowed. */
export const TOO_DEEP = -2;

/** Strings up to this length are scanned here; the search of the platform is faster for longer ones only. */
const SHORT_STRING = 64;

/** The first byte that is not white space, from a position on. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] ?? QUOTE) <= MAX_SPACE) at += 1;
  return at;
}

/** The position after the string that begins at a quotation mark, or `ENDLESS`. */
export function skipString(bytes: Buffer, quote: number): number {
  const near = Math.min(bytes.length, quote + SHORT_STRING);
  let at = quote + 1;
  while (at < near) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    const end = bytes.indexOf(QUOTE, at);
    if (end === -1) return ENDLESS;
    let before = end - 1;
    // Never before `at`: up to there every escape is read already.
    while (before >= at && bytes[before] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
    at = end + 1;
  }
}

/** The position after the value that begins at a position, or `ENDLESS`, or `TOO_DEEP`. */
export function skipValue(bytes: Buffer, start: number, maxDepth: number = Number.POSITIVE_INFINITY): number {
  const first = bytes[start];
  if (first === QUOTE) return skipString(bytes, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(bytes, start);
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      if (at === ENDLESS) return ENDLESS;
      continue;
    }
    at += 1;
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

/** The position after a number or a word. */
function skipScalar(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= MAX_SPACE) break;
    at += 1;
  }
  return at === start ? ENDLESS : at;
}
