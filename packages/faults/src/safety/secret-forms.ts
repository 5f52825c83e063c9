import { MIN_STRING_LENGTH } from "./string-search.ts";

/** Shorter lines of a secret with several lines are not searched for by themselves. */
const MIN_LINE_LENGTH = 16;

/**
 * The forms in which a secret is searched for in a decoded text: the value, without spaces at its ends, with
 * compatibility characters replaced, with the spaces of a web form, and the lines of a value with several.
 */
export function formsOfSecret(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const value of [secret, secret.trim(), secret.normalize("NFKC"), secret.toWellFormed()]) {
    forms.add(value);
    forms.add(value.replaceAll(" ", "+"));
  }
  for (const line of secretLines(secret)) forms.add(line);
  return new Set([...forms].filter((form) => form.length >= MIN_STRING_LENGTH));
}

// The first and last line of a PEM key are the same for every key.
function secretLines(secret: string): string[] {
  if (!/[\r\n]/.test(secret)) return [];
  const lines = secret.split(/[\r\n]+/, 1000).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith("-----"));
}
