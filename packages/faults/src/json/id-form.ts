/** Crockford's base 32. */
export const ID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An id made by `formatId`: 26 characters of Crockford's base 32. Ids sort by time. */
export const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The time in an id, in ms since 1970; undefined for a text that is not an id. */
export function timeOfId(id: string): number | undefined {
  if (!ID.test(id)) return undefined;
  let timeMs = 0;
  for (const digit of id.slice(0, 10)) timeMs = timeMs * 32 + ID_ALPHABET.indexOf(digit);
  return timeMs;
}
