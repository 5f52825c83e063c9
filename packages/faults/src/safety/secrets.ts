import { formsOf } from "./forms.ts";
import { INVISIBLE } from "./line.ts";
import { ANCHOR, Needles } from "./needles.ts";

/** Shorter values are not looked for, since they would be found in ordinary words. */
export const MIN_SECRET = ANCHOR;

/** Knows some exact secret values and finds them in texts, in any of their usual encodings. */
export interface SecretFilter {
  /** How many different values are looked for. */
  readonly size: number;
  /** Tells whether the text has one of the values in it. */
  has(text: string): boolean;
}

/** Builds a filter for exact values, for example the credentials of one request. */
export function createSecretFilter(values: Iterable<string>): SecretFilter {
  const needles = new Needles();
  const known = new Set<string>();
  for (const value of values) if (value.length >= MIN_SECRET) known.add(value);
  for (const value of known) for (const form of formsOf(value)) needles.add(form);
  return { size: known.size, has: (text) => foundInAnyView(needles, text) };
}

/** Looks at a text as it is, without its invisible characters, and without its line breaks. */
export function foundInAnyView(needles: Needles, text: string): boolean {
  if (needles.foundIn(text)) return true;
  const visible = text.replace(INVISIBLE, "");
  if (visible !== text && needles.foundIn(visible)) return true;
  const folded = visible.normalize("NFKC");
  if (folded !== visible && needles.foundIn(folded)) return true;
  const joined = folded.replace(/[\r\n]+[\t ]{0,16}/g, "");
  return joined !== folded && needles.foundIn(joined);
}
