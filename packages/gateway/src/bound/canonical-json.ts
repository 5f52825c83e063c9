/**
 * The same text for the same JSON value: members sorted by name, no white space, strings with the fewest escapes, and of a
 * repeated member the last, as `JSON.parse` takes it. Numbers stay as they were written, so that none loses a digit.
 * Throws where the text is not JSON.
 */
export function canonicalJson(text: string): string {
  return JSON.parse(text, write as (key: string, value: unknown) => unknown) as string;
}

/** Writes a value whose members have been written already. */
function write(_key: string, value: unknown, { source }: { readonly source?: string }): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.join(",")}]`;
  if (typeof value !== "object" || value === null) return source ?? String(value);
  const members = Object.entries(value as Record<string, string>).sort(byName);
  return `{${members.map(([name, written]) => `${JSON.stringify(name)}:${written}`).join(",")}}`;
}

/** By code units, so that no locale changes the order. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
