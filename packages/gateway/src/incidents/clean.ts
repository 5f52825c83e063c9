// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses a text that contains it.
const NUL = /\u0000/g;

/** The most characters of a name that is kept. */
export const MAX_NAME = 256;

/** A text that PostgreSQL takes, cut at a length. Names come from callers and upstreams. */
export function clean(text: string, max: number): string {
  return text.slice(0, max).toWellFormed().replaceAll(NUL, " ");
}

/** JSON that PostgreSQL takes. */
export function cleanJson(value: unknown, max: number): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === "string" ? clean(member, max) : member));
}
