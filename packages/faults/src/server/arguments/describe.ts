import { MAX } from "../../fault/fault.ts";
import { toLine } from "../../safety/line.ts";
import { rangeOf, sizesOf } from "./bounds.ts";
import { choicesOf } from "./choices.ts";
import { isKnownFormat, sayFormat } from "./formats.ts";
import { partsOf, unionsOf } from "./parts.ts";
import { at, has, isObject, listAt, type Members, stringAt } from "./read.ts";
import { impliedType, type Type, typesOf } from "./types.ts";
import type { Walk } from "./walk.ts";
import { sayCount, sayList, sayNumber, sayPattern } from "./words.ts";

const MANY = {
  string: "strings",
  integer: "integers",
  number: "numbers",
  boolean: "booleans",
  object: "objects",
  array: "arrays",
  null: "nulls",
} as const satisfies Record<Type, string>;

const SAY = {
  string: (_, parts) => sayText(parts),
  integer: (_, parts) => sayStepped(parts, true),
  number: (_, parts) => sayStepped(parts, false),
  boolean: () => "true or false",
  object: (_, parts) => sayObject(parts),
  array: sayArray,
  null: () => "null",
} as const satisfies Record<Type, (walk: Walk, parts: readonly Members[]) => string>;

/** What a schema expects, as a short phrase; undefined where it allows anything. */
export function describe(walk: Walk, node: unknown, depth = 0): string | undefined {
  const choices = choicesOf(walk, node);
  if (choices !== undefined) return sayChoices(choices);
  const parts = partsOf(walk, node).all;
  const implied = impliedType(parts);
  const union = parts.flatMap(unionsOf).at(0);
  if (union !== undefined && implied === undefined && depth < 3) {
    const phrases = union.map((branch) => describe(walk, branch, depth + 1));
    // A branch that allows anything makes the others no expectation.
    if (phrases.every((phrase) => phrase !== undefined)) return either(phrases);
  }
  const types = typesOf(walk, node) ?? (implied === undefined ? [] : [implied]);
  return either(types.map((type) => SAY[type](walk, parts)));
}

function either(phrases: readonly string[]): string | undefined {
  let said: string | undefined;
  for (const phrase of new Set(phrases)) {
    const longer = said === undefined ? phrase : `${said} or ${phrase}`;
    if (longer.length > MAX.issueText) break;
    said = longer;
  }
  return said;
}

/** `one of red, green, blue`, `exactly red`. */
export function sayChoices(choices: readonly unknown[]): string | undefined {
  const distinct = [...new Set(choices)];
  const list = sayList(distinct, MAX.issueText - "one of ".length);
  if (list === "") return undefined;
  return distinct.length === 1 ? `exactly ${list}` : `one of ${list}`;
}

function sayText(parts: readonly Members[]): string {
  const form = sayForm(parts);
  if (form !== undefined) return form;
  const sizes = sizesOf(parts, "minLength", "maxLength");
  if (sizes.least === 1 && sizes.most === undefined) return "a string that is not empty";
  const count = sayCount(sizes, "character", "characters");
  return count === undefined ? "a string" : `a string of ${count}`;
}

/** The format or pattern of a text; a known format says more than the pattern that spells it out. */
export function sayForm(parts: readonly Members[]): string | undefined {
  const format = formatOf(parts);
  if (format !== undefined && isKnownFormat(format)) return sayFormat(format);
  const pattern = parts.map((part) => stringAt(part, "pattern")).find((one) => one !== undefined);
  if (pattern !== undefined) return sayPattern(pattern);
  return format === undefined ? undefined : sayFormat(format);
}

/** The format that the parts name. */
export function formatOf(parts: readonly Members[]): string | undefined {
  return parts.map((part) => stringAt(part, "format")).find((format) => format !== undefined);
}

function sayStepped(parts: readonly Members[], isInteger: boolean): string {
  const range = rangeOf(parts);
  const said = sayNumber(range, isInteger);
  return range.step === undefined || (isInteger && range.step === 1) ? said : `${said}, a multiple of ${range.step}`;
}

function sayObject(parts: readonly Members[]): string {
  const keys = new Set(parts.flatMap((part) => listAt(part, "required").slice(0, 64)));
  const list = sayList([...keys], 80);
  return list === "" ? "an object" : `an object with ${list}`;
}

function sayArray(walk: Walk, parts: readonly Members[]): string {
  const items = parts.map((part) => at(part, "items")).find((one) => isObject(one));
  const types = items === undefined ? undefined : typesOf(walk, items);
  const many = types?.length === 1 && types[0] !== undefined ? MANY[types[0]] : undefined;
  const one = many?.slice(0, -1) ?? "item";
  const count = sayCount(sizesOf(parts, "minItems", "maxItems"), one, many ?? "items");
  if (count !== undefined) return `an array of ${count}`;
  return many === undefined ? "an array" : `an array of ${many}`;
}

/** A phrase made to fit, with what stands after it kept whole. */
export function fitted(phrase: string, after = ""): string {
  return `${toLine(phrase, MAX.issueText - after.length)}${after}`;
}

/** Tells whether a schema says what a text must look like. */
export function hasForm(parts: readonly Members[]): boolean {
  return parts.some((part) => has(part, "format") || has(part, "pattern"));
}
