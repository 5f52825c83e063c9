import { isRecord, own, ownArray } from "../errors/peek.ts";
import { FAULT_LIMITS } from "../fault/fault.ts";
import { nearestNames } from "../fault/suggestions.ts";
import { toLine } from "../safety/line.ts";
import {
  allowedChoices,
  allowedTypes,
  type Bounds,
  formatPhrase,
  impliedType,
  isKnownFormat,
  readBounds,
  readFormat,
  readNumberRange,
  readPatterns,
  type SchemaRange,
  type TypeName,
} from "./keywords.ts";
import { type Keywords, readUnions, type Scope, schemaParts, spendSchemaWork } from "./scope.ts";

const MAX_PHRASE_DEPTH = 3;
/** Characters that a list of keys may take, and a pattern. */
const MAX_KEYS_LENGTH = 80;
const MAX_PATTERN_LENGTH = 80;
const MAX_PHRASE_VALUE = 60;
/** Values of a list that are looked at for a phrase. */
const MAX_LISTED = 64;
const MAX_COMPARED_NAMES = 100;
const MAX_COMPARED_LENGTH = 128;

const PLURALS = {
  string: "strings",
  integer: "integers",
  number: "numbers",
  boolean: "booleans",
  object: "objects",
  array: "arrays",
  null: "nulls",
} as const satisfies Record<TypeName, string>;

const TYPE_PHRASES = {
  string: (_, parts) => textPhrase(parts),
  integer: (_, parts) => steppedPhrase(parts, "an integer"),
  number: (_, parts) => steppedPhrase(parts, "a number"),
  boolean: () => "true or false",
  object: (_, parts) => objectPhrase(parts),
  array: arrayPhrase,
  null: () => "null",
} as const satisfies Record<TypeName, (scope: Scope, parts: readonly Keywords[]) => string>;

/** What a schema expects, as a short phrase such as `an integer from 1 to 100`; undefined if it allows anything. */
export function describeSchema(scope: Scope, node: unknown, depth = 0): string | undefined {
  const parts = schemaParts(scope, node);
  const choices = allowedChoices(scope, parts);
  if (choices !== undefined) return choicesPhrase(choices);
  const implied = impliedType(parts);
  const union = parts.flatMap((part) => readUnions(scope, part)).at(0);
  if (union !== undefined && implied === undefined && depth < MAX_PHRASE_DEPTH) {
    const phrases = union.branches.map((branch) => describeSchema(scope, branch, depth + 1));
    // With a branch that allows anything, the others are no expectation.
    if (phrases.every((phrase) => phrase !== undefined)) return joinPhrases(phrases);
  }
  const types = allowedTypes(scope, parts) ?? (implied === undefined ? [] : [implied]);
  return joinPhrases(types.map((type) => TYPE_PHRASES[type](scope, parts)));
}

function joinPhrases(phrases: readonly string[]): string | undefined {
  let joined: string | undefined;
  for (const phrase of new Set(phrases)) {
    const longer = joined === undefined ? phrase : `${joined} or ${phrase}`;
    if (longer.length > FAULT_LIMITS.issueText) break;
    joined = longer;
  }
  return joined;
}

/** `one of red, green, blue`, `exactly red`. */
export function choicesPhrase(choices: readonly unknown[]): string | undefined {
  const distinct = [...new Set(choices)];
  const list = listPhrase(distinct, FAULT_LIMITS.issueText - "one of ".length);
  if (list === undefined) return undefined;
  return distinct.length === 1 ? `exactly ${list}` : `one of ${list}`;
}

/** `only street, city`, `no keys`. */
export function keysPhrase(keys: readonly string[]): string {
  const list = listPhrase(keys, MAX_KEYS_LENGTH);
  return list === undefined ? "no keys" : `only ${list}`;
}

function textPhrase(parts: readonly Keywords[]): string {
  const form = formPhrase(parts);
  if (form !== undefined) return form;
  const length = readBounds(parts, "minLength", "maxLength");
  if (length.least === 1 && length.most === undefined) return "a string that is not empty";
  const count = countPhrase(length, "character", "characters");
  return count === undefined ? "a string" : `a string of ${count}`;
}

/** The format or pattern of a text; a known format says more than the pattern that spells it out. */
export function formPhrase(parts: readonly Keywords[]): string | undefined {
  const format = readFormat(parts);
  if (format !== undefined && isKnownFormat(format)) return formatPhrase(format);
  const [pattern] = readPatterns(parts);
  if (pattern === undefined) return format === undefined ? undefined : formatPhrase(format);
  // Half a pattern would mislead, so a long one is only mentioned.
  return pattern.length <= MAX_PATTERN_LENGTH && toLine(pattern, MAX_PATTERN_LENGTH) === pattern
    ? `text matching ${pattern}`
    : "text matching the pattern in the schema";
}

function steppedPhrase(parts: readonly Keywords[], noun: NumberNoun): string {
  const range = readNumberRange(parts);
  const [step] = range.steps;
  const phrase = numberPhrase(range, noun);
  return step === undefined || (noun === "an integer" && step === 1) ? phrase : `${phrase}, a multiple of ${step}`;
}

type NumberNoun = "an integer" | "a number";

/** `an integer from 1 to 100`, `a number above 0`. */
export function numberPhrase({ within, between }: SchemaRange, noun: NumberNoun): string {
  let { least = -Infinity, most = Infinity } = within;
  let { least: above = -Infinity, most: below = Infinity } = between;
  if (noun === "an integer") {
    // Integers have no open ends.
    least = Math.max(least, Math.floor(above) + 1);
    most = Math.min(most, Math.ceil(below) - 1);
    [above, below] = [-Infinity, Infinity];
  }
  // The ends of what is safe are no bounds that anyone chose.
  const isBound = (end: number) => Math.abs(end) < Number.MAX_SAFE_INTEGER;
  if (isBound(least) && isBound(most) && !isBound(above) && !isBound(below)) return `${noun} from ${least} to ${most}`;
  const ends = [
    isBound(least) ? `of at least ${least}` : "",
    isBound(above) ? `above ${above}` : "",
    isBound(most) ? `of at most ${most}` : "",
    isBound(below) ? `below ${below}` : "",
  ].filter((end) => end !== "");
  return ends.length === 0 ? noun : `${noun} ${ends.join(" and ")}`;
}

function objectPhrase(parts: readonly Keywords[]): string {
  const keys = new Set(parts.flatMap((part) => ownArray(part, "required").slice(0, MAX_LISTED)));
  const list = listPhrase([...keys], MAX_KEYS_LENGTH);
  return list === undefined ? "an object" : `an object with ${list}`;
}

function arrayPhrase(scope: Scope, parts: readonly Keywords[]): string {
  const items = parts.map((part) => own(part, "items")).find(isRecord);
  const types = items === undefined ? undefined : allowedTypes(scope, schemaParts(scope, items));
  const plural = types?.length === 1 && types[0] !== undefined ? PLURALS[types[0]] : undefined;
  const count = countPhrase(
    readBounds(parts, "minItems", "maxItems"),
    plural?.slice(0, -1) ?? "item",
    plural ?? "items",
  );
  return count === undefined && plural === undefined ? "an array" : `an array of ${count ?? plural}`;
}

/** `at least 8 characters`, `1 to 5 items`; undefined if there is no bound. */
export function countPhrase({ least, most }: Bounds, singular: string, plural: string): string | undefined {
  const counted = (count: number) => `${count} ${count === 1 ? singular : plural}`;
  if (least !== undefined && least === most) return `exactly ${counted(least)}`;
  const low = least === undefined || least <= 0 ? undefined : least;
  if (most === undefined) return low === undefined ? undefined : `at least ${counted(low)}`;
  return low === undefined ? `at most ${counted(most)}` : `${low} to ${counted(most)}`;
}

/** As many values as fit, and how many are left out: `red, green and 7 more`; undefined if none fits. */
function listPhrase(values: readonly unknown[], room: number): string | undefined {
  const listed: string[] = [];
  let left = room - " and 100000 more".length;
  for (const value of values.slice(0, MAX_LISTED)) {
    const word = valuePhrase(value);
    if (word === undefined || word.length + 2 > left) continue;
    listed.push(word);
    left -= word.length + 2;
  }
  const rest = values.length - listed.length;
  if (listed.length === 0) return undefined;
  return rest > 0 ? `${listed.join(", ")} and ${rest} more` : listed.join(", ");
}

/** A value of the schema as a word: bare if it reads as one, else in quotation marks. */
function valuePhrase(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (typeof value !== "string" || value.length > MAX_PHRASE_VALUE) return undefined;
  if (toLine(value, MAX_PHRASE_VALUE) !== value.trim()) return undefined;
  return /^[^\s,"'](?:[^,"']*[^\s,"'])?$/u.test(value) ? value : JSON.stringify(value);
}

/** The name that a misspelling is nearest to: always one of the names given, and a whole one. */
export function suggestName(scope: Scope, text: unknown, names: readonly unknown[]): string | undefined {
  const known = names
    .slice(0, MAX_COMPARED_NAMES)
    .filter((name) => typeof name === "string")
    .filter(
      (name) => name !== "" && name.length <= FAULT_LIMITS.issueText && toLine(name, FAULT_LIMITS.issueText) === name,
    );
  if (typeof text !== "string" || text.length > MAX_COMPARED_LENGTH) return undefined;
  return spendSchemaWork(scope, known.length * 64) ? nearestNames(text, known, 1)[0] : undefined;
}
