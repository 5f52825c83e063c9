import { canonicalWithin } from "../json/canonical.ts";

/** The most characters of JSON that are compared. Hardly any call has more, and each failure pays for them. */
const MAX_CHARACTERS = 1_000_000;

/**
 * A short text that is the same for the same arguments, in whatever order their members were written. Undefined for
 * arguments that are too large to compare or that JSON cannot express.
 */
export function digestArguments(args: unknown): string | undefined {
  const json = canonicalWithin(args ?? {}, MAX_CHARACTERS);
  return json === undefined ? undefined : hash(json);
}

/**
 * Two FNV-1a hashes with different starts, and the length. It tells apart the few calls of one conversation; it is not
 * meant to resist anybody who looks for a collision, who would only be told to stop earlier.
 */
function hash(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 13);
  }
  return `${(one >>> 0).toString(36)}.${(other >>> 0).toString(36)}.${text.length}`;
}
