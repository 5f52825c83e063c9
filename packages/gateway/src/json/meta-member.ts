import { valuesOf, withSpans } from "./members.ts";
import { CLOSE_OBJECT, OPEN_OBJECT, skipSpace } from "./skip.ts";

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
