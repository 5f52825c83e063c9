import { CARRIAGE_RETURN, CLOSE_OBJECT, LINE_FEED, OPEN_OBJECT, SPACE } from "@recourse/core/wire";
import { type Span, skipSpace, valuesOf } from "./json-bytes.ts";

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

/**
 * The bytes with members in `_meta` of the object at `start`. Whatever else is in the object stays as it was written. A member
 * that `_meta` has already gets the new value.
 */
export function withMetaMember(bytes: Buffer, start: number, members: Readonly<Record<string, unknown>>): Buffer {
  // Of repeated keys the last one counts, as it does for `JSON.parse`.
  const meta = valuesOf(bytes, start, "_meta").at(-1);
  if (meta === undefined) return insertInto(bytes, start, { _meta: members });
  if (bytes[meta.start] !== OPEN_OBJECT) return withSpans(bytes, [meta], JSON.stringify(members));
  return Object.entries(members).reduce((text, [key, value]) => {
    const known = valuesOf(text, meta.start, key);
    return known.length === 0
      ? insertInto(text, meta.start, { [key]: value })
      : withSpans(text, known, JSON.stringify(value));
  }, bytes);
}

/** Puts members before those of the object at `start`. */
function insertInto(bytes: Buffer, start: number, members: Readonly<Record<string, unknown>>): Buffer {
  const inside = skipSpace(bytes, start + 1);
  const isEmpty = bytes[inside] === CLOSE_OBJECT;
  const text = JSON.stringify(members).slice(1, -1);
  return withSpans(bytes, [{ start: inside, end: inside }], isEmpty ? text : `${text},`);
}

/** JSON without line breaks: outside of strings they mean nothing, and inside of strings they are always escaped. */
export function onOneLine(json: Buffer): Buffer {
  if (!json.includes(LINE_FEED) && !json.includes(CARRIAGE_RETURN)) return json;
  return Buffer.from(json).map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte)) as Buffer;
}
