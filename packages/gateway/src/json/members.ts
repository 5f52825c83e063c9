// Members and elements in the bytes of a JSON text, so that parts of it can be passed on as they were written: numbers such as
// 1e400 do not survive being parsed and written again.
import { parseJson } from "@recourse/faults/internal-do-not-use";
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  type Span,
  skipSpace,
  skipString,
  skipValue,
} from "./skip.ts";

/** Receives a member: where its key stands, without quotation marks, and where its value stands. */
type Visit = (keyStart: number, keyEnd: number, value: Span) => boolean;

/** Visits the members of the object at `start`, and gives the position after it; -1 where it is none, or the visit ends it. */
export function eachMember(bytes: Buffer, start: number, visit: Visit): number {
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

/** The values of a member of the object at `start`, in the order of the text, also where its key is escaped or repeated. */
export function valuesOf(bytes: Buffer, start: number, key: string): readonly Span[] {
  const found: Span[] = [];
  eachMember(bytes, start, (keyStart, keyEnd, value) => {
    if (isKey(bytes, keyStart, keyEnd, key)) found.push(value);
    return true;
  });
  return found;
}

/**
 * The members of the object at `start`, by their names. Undefined where it is no object, or where a name is repeated, also in
 * another spelling: two parsers could then read two objects.
 */
export function membersOf(bytes: Buffer, start: number): ReadonlyMap<string, Span> | undefined {
  const found = new Map<string, Span>();
  const end = eachMember(bytes, start, (keyStart, keyEnd, value) => {
    const name = nameIn(bytes, keyStart, keyEnd);
    if (name === undefined || found.has(name)) return false;
    found.set(name, value);
    return true;
  });
  return end === -1 ? undefined : found;
}

/**
 * The elements of the array at `start`, one after the other, so that a long array need not be held and can be left. It returns
 * false where it is no array, or where it breaks off.
 */
export function* elementsOf(bytes: Buffer, start: number): Generator<Span, boolean, void> {
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

/** The bytes with another text in some spans, which stand in the order of the text. */
export function withSpans(bytes: Buffer, spans: readonly Span[], text: string): Buffer {
  const parts: Buffer[] = [];
  const put = Buffer.from(text);
  let copied = 0;
  for (const { start, end } of spans) {
    parts.push(bytes.subarray(copied, start), put);
    copied = end;
  }
  return Buffer.concat([...parts, bytes.subarray(copied)]);
}

function isKey(bytes: Buffer, start: number, end: number, name: string): boolean {
  return nameIn(bytes, start, end) === name;
}

/** The name that a key stands for; undefined where it is not written as JSON writes one. */
function nameIn(bytes: Buffer, start: number, end: number): string | undefined {
  const key = bytes.toString("utf8", start, end);
  if (!key.includes("\\")) return key;
  const name = parseJson(`"${key}"`, Number.POSITIVE_INFINITY);
  return typeof name === "string" ? name : undefined;
}
