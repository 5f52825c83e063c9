import type { Issue } from "@recourse/core";
import { isObject, toPointer } from "@recourse/core/wire";

/** Texts without such a sequence have only numbers that a parser keeps. */
const MAY_LOSE_DIGITS = /[\d.]{16}|[eE][+-]?\d{3}/;

/** Stands for a number that a parser would change. */
const CHANGED = Symbol("changed");

/** The value of a JSON text, and the arguments whose numbers a parser would change: too long, too large or too small. */
export interface ExactJson {
  readonly value: unknown;
  readonly changed: readonly string[];
}

/** Parses JSON, and finds the numbers that are not kept as they were written. */
export function parseExactly(text: string): ExactJson {
  if (!MAY_LOSE_DIGITS.test(text)) return { value: JSON.parse(text), changed: [] };
  let isChanged = false;
  const mark = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value !== "number" || isExact(value, context?.source ?? "")) return value;
    isChanged = true;
    return CHANGED;
  };
  const marked: unknown = JSON.parse(text, mark as (key: string, value: unknown) => unknown);
  if (!isChanged) return { value: marked, changed: [] };
  return { value: JSON.parse(text), changed: findChanged(marked, []).map(toPointer) };
}

/** What is wrong with such numbers, for the caller. */
export function numberIssues(pointers: readonly string[]): readonly Issue[] {
  const expected = "a number of at most 15 digits, or a string where the tool takes one";
  return pointers.map((pointer) => ({ pointer, rule: "range", expected }));
}

function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && significantDigits(String(value)) === significantDigits(source);
}

/** Digits and exponent of a number without the zeros that mean nothing, so that two spellings can be compared. */
function significantDigits(number: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const bare = digits.replace(/0+$/, "");
  return bare === "" ? "0" : `${bare}e${Number(exponent) - fraction.length + digits.length - bare.length}`;
}

function findChanged(value: unknown, path: readonly string[]): string[][] {
  if (value === CHANGED) return [[...path]];
  if (Array.isArray(value)) return value.flatMap((item, at) => findChanged(item, [...path, String(at)]));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => findChanged(item, [...path, key])) : [];
}
