const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The time in the id of an incident, in ms since 1970; undefined for a text that is not an id. */
export function timeOfId(id: string): number | undefined {
  if (!ID.test(id)) return undefined;
  return [...id.slice(0, 10)].reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0);
}
