import { ID } from "@recourse/wire";
import { containsSecret, type SecretFilter } from "../safety/secrets.ts";

/** What the id of a request may consist of. */
export const REQUEST_ID: RegExp = /^(?=.*\d)[\w.:-]{4,64}$/;
/** What an id may begin or end with, such as `req_`, or the place of a data centre. */
const AFFIX = /^[A-Za-z]{1,4}[-_]|-[a-z]{3}$/g;
/** Hexadecimal groups of an id spell nothing. */
const HEX = /(?<![^-:._])[\da-f]+(?![^-:._])/gi;
const WORD_IN_ID = /[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}/g;

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
      .match(WORD_IN_ID)
      ?.filter((word) => /[aeiou]/i.test(word)) ?? [];
  return ID.test(bare) || words.join("").length < 9 ? value : undefined;
}

/** A W3C traceparent. */
export const TRACEPARENT: RegExp = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** The value if it is an ISO 8601 time. */
export function readTime(value: unknown): string | undefined {
  return typeof value === "string" && ISO_TIME.test(value) ? value : undefined;
}

/** The value if it is a W3C traceparent. */
export function readTrace(value: unknown): string | undefined {
  return typeof value === "string" && TRACEPARENT.test(value) ? value : undefined;
}
