import { isJson } from "../json.ts";
import { isPrintable, toText } from "../text.ts";

const LONGEST_TEXT = 256;
const LONGEST_DEFAULT = 1_000;
const MOST_CHOICES = 500;

/** Values of an `enum` or `const`. One that cannot be shown makes them all go: half a list would refuse what is allowed. */
export function choicesOf(values: readonly unknown[]): readonly unknown[] | undefined {
  if (values.length === 0 || values.length > MOST_CHOICES) return undefined;
  return values.every(isShowable) ? values : undefined;
}

function isShowable(value: unknown): boolean {
  return typeof value === "string" ? isPrintable(value, LONGEST_TEXT) : value === null || typeof value !== "object";
}

/** A default value that can be shown. */
export function defaultOf(value: unknown): unknown {
  if (!Array.isArray(value) && !isJson(value)) return isShowable(value) ? value : undefined;
  const text = JSON.stringify(value);
  return text.length <= LONGEST_DEFAULT && toText(text, LONGEST_DEFAULT) === text ? value : undefined;
}
