/** A call with more texts than this is filtered as if it had sent none: with enough of them a caller could repeat any sentence. */
export const MAX_CALLER_TEXTS = 100;
/** A shorter text is found in too many places by accident. */
const MIN_CALLER_TEXT = 3;
const MAX_ARGUMENT_VALUES = 2000;
const MAX_ARGUMENT_DEPTH = 32;

/**
 * The texts that a caller sent with a call: the strings and numbers in its arguments, and the lines of strings with several.
 * Names of members do not count, since the schema of a tool sets them. Nothing if there are too many.
 */
export function readCallerTexts(sent: unknown): readonly string[] {
  const texts: string[] = [];
  const values: { readonly value: unknown; readonly depth: number }[] = [{ value: sent, depth: 0 }];
  for (let at = 0; at < values.length; at++) {
    if (values.length > MAX_ARGUMENT_VALUES || texts.length > MAX_CALLER_TEXTS) return [];
    const { value, depth } = values[at] as (typeof values)[number];
    if (typeof value === "string") texts.push(...trimmedLines(value));
    else if (typeof value === "number" && Number.isFinite(value)) texts.push(...trimmedLines(String(value)));
    else if (typeof value === "object" && value !== null && depth < MAX_ARGUMENT_DEPTH) {
      // Names are counted first: the values of an object with very many members cost more to list.
      if ((Array.isArray(value) ? value : Object.keys(value)).length > MAX_ARGUMENT_VALUES) return [];
      for (const inner of Object.values(value)) values.push({ value: inner, depth: depth + 1 });
    }
  }
  return texts.length > MAX_CALLER_TEXTS ? [] : texts;
}

function trimmedLines(value: string): string[] {
  // The first lines beyond the limit show that there are too many.
  const lines = value.includes("\n") ? value.split(/\r?\n/, MAX_CALLER_TEXTS + 1) : [];
  return [value, ...lines].map((text) => text.trim()).filter((text) => text.length >= MIN_CALLER_TEXT);
}
