import { isJson } from "../document/json.ts";
import { made, type Result, refused } from "./result.ts";

/** A value as the styles of parameters know it: one text, a list of them, or pairs. */
export type Flat =
  | { readonly kind: "one"; readonly text: string }
  | { readonly kind: "many"; readonly texts: readonly string[] }
  | { readonly kind: "pairs"; readonly pairs: readonly (readonly [key: string, text: string])[] };

/** Flattens a value; null is left out wherever it stands, and what lies deeper is written as JSON. */
export function flatten(value: unknown): Result<Flat> {
  const flat = flatOf(value);
  if (flat === undefined) return refused("type", "a text, a number, a boolean, a list or an object");
  return allTexts(flat).every((text) => text.isWellFormed()) ? made(flat) : refused("format", "valid Unicode text");
}

function flatOf(value: unknown): Flat | undefined {
  if (Array.isArray(value)) {
    const texts = value.filter((one) => one !== null).map(textOf);
    return texts.every((text) => text !== undefined) ? { kind: "many", texts } : undefined;
  }
  if (isJson(value)) {
    const pairs = Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .map(([key, one]) => [key, textOf(one)] as const);
    return pairs.every((pair): pair is readonly [string, string] => pair[1] !== undefined)
      ? { kind: "pairs", pairs }
      : undefined;
  }
  const text = textOf(value);
  return text === undefined ? undefined : { kind: "one", text };
}

/** A value as one text; undefined for what JSON does not have. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? jsonOf(value) : undefined;
}

/** A value as JSON; undefined for what JSON does not have. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Every text in a flat value. */
export function allTexts(flat: Flat): readonly string[] {
  switch (flat.kind) {
    case "one":
      return [flat.text];
    case "many":
      return flat.texts;
    case "pairs":
      return flat.pairs.flat();
    default:
      return flat satisfies never;
  }
}

/** Whether there is nothing in it. */
export function isEmpty(flat: Flat): boolean {
  return flat.kind !== "one" && allTexts(flat).length === 0;
}
