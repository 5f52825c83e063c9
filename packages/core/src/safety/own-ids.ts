// The ids of incidents, calls and approvals that this library makes (`formatId`). They look random, as keys do, but an
// operator has to find them again, so no rule may take them for a secret.
import { timeOfId } from "../wire/ids.ts";

const ID_LENGTH = 26;
/** An id that is no part of a longer token. Before it may stand an escape, such as `\n` or `%2F`. */
const CANDIDATE = /(?:(?<![\w-])|(?<=\\[nrt])|(?<=%[\da-fA-F]{2}))[0-7][\dA-HJKMNP-TV-Z]{25}(?![\w-])/g;
/** The first ids were made in 2025. */
const FIRST_MS = Date.UTC(2025);
/** Clocks of other machines may be ahead. */
const MAX_CLOCK_AHEAD_MS = 86_400_000;
/** Stands for an id, at its length. No rule matches it, and neither does the name of a secret before it make it one. */
const ID_WORD = "id".padEnd(ID_LENGTH);

/** The text with a plain word and spaces in place of each id that this library may have made. Nothing else moves. */
export function withoutOwnIds(text: string): string {
  return text.length < ID_LENGTH ? text : text.replace(CANDIDATE, (id) => (isOfOurTime(id) ? ID_WORD : id));
}

function isOfOurTime(id: string): boolean {
  const timeMs = timeOfId(id) ?? 0;
  return timeMs >= FIRST_MS && timeMs <= Date.now() + MAX_CLOCK_AHEAD_MS;
}
