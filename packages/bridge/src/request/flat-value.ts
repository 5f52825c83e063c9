import type { IssueRule } from "@recourse/faults";
import { isObject } from "@recourse/faults/internal-do-not-use";

/** The rule that an argument breaks; never the value itself. */
export interface ArgumentProblem {
  readonly rule: IssueRule;
  readonly expected: string;
}

/** A part of a request, or why the argument cannot be written. */
export type WriteResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ArgumentProblem };

/** A part that was written. */
export function valid<T>(value: T): WriteResult<T> {
  return { ok: true, value };
}

/** An argument that cannot be written. */
export function invalid(rule: IssueRule, expected: string): WriteResult<never> {
  return { ok: false, problem: { rule, expected } };
}

/** A value in the forms that parameter styles distinguish: one text, a list of texts, or pairs of texts. */
export type FlatValue =
  | { readonly kind: "one"; readonly text: string }
  | { readonly kind: "many"; readonly texts: readonly string[] }
  | { readonly kind: "pairs"; readonly pairs: readonly (readonly [key: string, text: string])[] };

/** Flattens a value. Null is left out, and values inside a list or object that are objects themselves become JSON. */
export function flattenValue(value: unknown): WriteResult<FlatValue> {
  const flat = flattened(value);
  if (flat === undefined) return invalid("type", "a text, a number, a boolean, a list or an object");
  return allTexts(flat).every((text) => text.isWellFormed()) ? valid(flat) : invalid("format", "valid Unicode text");
}

function flattened(value: unknown): FlatValue | undefined {
  if (Array.isArray(value)) {
    const texts = value.filter((one) => one !== null).map(scalarText);
    return texts.every((text) => text !== undefined) ? { kind: "many", texts } : undefined;
  }
  if (isObject(value)) {
    const pairs = Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .map(([key, one]) => [key, scalarText(one)] as const);
    return pairs.every((pair): pair is readonly [string, string] => pair[1] !== undefined)
      ? { kind: "pairs", pairs }
      : undefined;
  }
  const text = scalarText(value);
  return text === undefined ? undefined : { kind: "one", text };
}

/** The text of a value; objects and lists become JSON. Undefined for values that JSON does not have. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? toJson(value) : undefined;
}

/** A value as JSON; undefined for values that JSON does not have. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** All texts of a flat value. */
export function allTexts(flat: FlatValue): readonly string[] {
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

/** Whether a list or object has no values. */
export function isEmptyValue(flat: FlatValue): boolean {
  return flat.kind !== "one" && allTexts(flat).length === 0;
}
