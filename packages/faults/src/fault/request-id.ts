import { ID } from "../json/id-form.ts";
import { containsSecret, type SecretFilter } from "../safety/secrets.ts";

/** What the id of a request may consist of. */
export const REQUEST_ID: RegExp = /^(?=.*\d)[\w.:-]{4,64}$/;
/** What an id may begin or end with, such as `req_`, or the place of a data centre. */
const AFFIX = /^[A-Za-z]{1,4}[-_]|-[a-z]{3}$/g;
/** Hexadecimal groups of an id spell nothing. */
const HEX = /(?<![^-:._])[\da-f]+(?![^-:._])/gi;
const WORD = /[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}/g;

/**
 * The value if it is an id that a service gave to a request. Ids have many forms and some look like words by chance, so eight
 * letters of words are accepted besides a short prefix. No sentence can be written with that.
 */
export function readRequestId(value: unknown, secrets?: SecretFilter): string | undefined {
  if (typeof value !== "string" || !REQUEST_ID.test(value) || containsSecret(value, secrets)) return undefined;
  const bare = value.replace(AFFIX, "");
  const words =
    bare
      .replace(HEX, "")
      .match(WORD)
      ?.filter((word) => /[aeiou]/i.test(word)) ?? [];
  return ID.test(bare) || words.join("").length < 9 ? value : undefined;
}
