import { asArray, hasOwn, isRecord, own, ownArray, ownKeys, ownNumber, ownString } from "../errors/peek.ts";
import { answerOnce, type Keywords, readUnions, type Scope, schemaParts, spendSchemaWork } from "./scope.ts";

// What the keywords of several schemas that apply together say about one value.

/** The types of JSON Schema, in the order in which phrases list them. */
const TYPE_NAMES = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

/** Keywords that only make sense for one type, for schemas that leave the type out. */
const TYPE_KEYWORDS = {
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  object: ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
} as const satisfies Partial<Record<TypeName, readonly string[]>>;

/** Unions in unions that are read for types and choices. */
const MAX_UNION_DEPTH = 4;
/** A longer list of choices is read as no list. */
const MAX_COMPARED_CHOICES = 10_000;
/** Longer texts and objects are not compared with others. */
const MAX_IDENTITY_LENGTH = 2_000;
const MAX_VALUE_DEPTH = 8;

/** How one property of schemas is read: parts narrow each other, the branches of a union add up. */
interface KeywordReader<T> {
  readonly own: (part: Keywords) => readonly T[] | undefined;
  /** What the keywords of a branch imply if it says nothing. */
  readonly implied: (branch: unknown) => readonly T[] | undefined;
  readonly both: (scope: Scope, some: readonly T[], others: readonly T[]) => readonly T[];
}

function readAllowed<T>(scope: Scope, parts: readonly Keywords[], reading: KeywordReader<T>, depth = 0) {
  let all: readonly T[] | undefined;
  for (const part of parts) {
    const unions = readUnions(scope, part).map(({ branches }) => readBranches(scope, branches, reading, depth));
    for (const more of [reading.own(part), ...unions])
      if (more !== undefined) all = all === undefined ? more : reading.both(scope, all, more);
  }
  return all;
}

function readBranches<T>(scope: Scope, branches: readonly unknown[], reading: KeywordReader<T>, depth: number) {
  if (depth > MAX_UNION_DEPTH) return undefined;
  const all = new Set<T>();
  for (const branch of branches) {
    const some: readonly T[] | undefined =
      readAllowed(scope, schemaParts(scope, branch), reading, depth + 1) ?? reading.implied(branch);
    if (some === undefined || all.size > MAX_COMPARED_CHOICES) return undefined;
    for (const one of some) all.add(one);
  }
  return [...all];
}

const TYPE_READING: KeywordReader<TypeName> = {
  own(part) {
    const type = own(part, "type");
    const named = TYPE_NAMES.filter((name) => name === type || asArray(type)?.includes(name));
    if (named.length === 0) return undefined;
    return own(part, "nullable") === true && !named.includes("null") ? [...named, "null"] : named;
  },
  implied(branch) {
    const choices = hasOwn(branch, "const") ? [own(branch, "const")] : ownArray(branch, "enum").slice(0, 64);
    const types = choices.map(typeName).filter((type) => type !== undefined);
    return types.length === 0 ? undefined : types;
  },
  both(_, some, others) {
    const within = (types: readonly TypeName[]) => (type: TypeName) =>
      types.includes(type) || (type === "integer" && types.includes("number"));
    return [...new Set([...some.filter(within(others)), ...others.filter(within(some))])];
  },
};

/** The types that schemas allow together; undefined if any is allowed. */
export function allowedTypes(scope: Scope, parts: readonly Keywords[]): readonly TypeName[] | undefined {
  return answerOnce(scope, "types", parts, () => readAllowed(scope, parts, TYPE_READING));
}

/** The type of a value; undefined for what JSON cannot hold. */
function typeName(value: unknown): TypeName | undefined {
  if (value === null) return "null";
  if (asArray(value) !== undefined) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "string" || typeof value === "boolean" || isRecord(value)
    ? (typeof value as TypeName)
    : undefined;
}

/** Whether a value is of one of the types; every integer is a number too. */
export function isOfType(value: unknown, types: readonly TypeName[]): boolean {
  const type = typeName(value);
  return type !== undefined && (types.includes(type) || (type === "integer" && types.includes("number")));
}

/** The type that the keywords are about, if none is declared. */
export function impliedType(parts: readonly Keywords[]): TypeName | undefined {
  const table = Object.entries(TYPE_KEYWORDS) as [TypeName, readonly string[]][];
  return table.find(([, keywords]) => parts.some((part) => keywords.some((keyword) => hasOwn(part, keyword))))?.[0];
}

const CHOICE_READING: KeywordReader<unknown> = {
  own(part) {
    const listed = hasOwn(part, "const") ? [own(part, "const")] : asArray(own(part, "enum"));
    return listed !== undefined && own(part, "nullable") === true ? [...listed, null] : listed;
  },
  implied: (branch) => (own(branch, "type") === "null" ? [null] : undefined),
  both: (scope, some, others) => some.filter((choice) => isChoice(scope, choice, others)),
};

/** The values that schemas allow, if they list them: `enum`, `const`, or a union of such. */
export function allowedChoices(scope: Scope, parts: readonly Keywords[]): readonly unknown[] | undefined {
  return answerOnce(scope, "choices", parts, () => readAllowed(scope, parts, CHOICE_READING));
}

/** Whether a value is among the choices; a value that is too large to compare passes. */
export function isChoice(scope: Scope, value: unknown, choices: readonly unknown[]): boolean {
  if (!spendSchemaWork(scope, 1 + choices.length / 16)) return true;
  if (choices.includes(value)) return true;
  // Only objects and arrays can be equal without being the same.
  if (typeof value !== "object" || value === null) return false;
  if (!spendSchemaWork(scope, choices.length * 8)) return true;
  const identity = valueIdentity(value);
  if (identity === undefined) scope.skipped += 1;
  return identity === undefined || choices.some((choice) => valueIdentity(choice) === identity);
}

/** A text that two values share when JSON Schema calls them equal; undefined for values too large to compare. */
export function valueIdentity(value: unknown, depth = 0): string | undefined {
  const list = asArray(value);
  if (list === undefined && !isRecord(value)) return scalarIdentity(value);
  const keys = list === undefined ? ownKeys(value) : [...list.slice(0, MAX_IDENTITY_LENGTH + 1).keys()];
  if (depth > MAX_VALUE_DEPTH || keys.length > MAX_IDENTITY_LENGTH) return undefined;
  let text = "";
  for (const key of list === undefined ? keys.toSorted() : keys) {
    const member = valueIdentity(own(value, key), depth + 1);
    if (member === undefined || text.length + member.length > MAX_IDENTITY_LENGTH) return undefined;
    text += typeof key === "number" ? `${member},` : `${JSON.stringify(key)}:${member},`;
  }
  return list === undefined ? `{${text}}` : `[${text}]`;
}

function scalarIdentity(value: unknown): string | undefined {
  if (typeof value === "string") return value.length > MAX_IDENTITY_LENGTH ? undefined : JSON.stringify(value);
  // Adding zero makes one of both zeros.
  if (typeof value === "number") return String(value + 0);
  return typeof value === "boolean" || value === null ? String(value) : undefined;
}

/** A lower and an upper end; an end that is not given is open. */
export interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** The narrowest bounds of several schemas, such as `minLength` and `maxLength`. */
export function readBounds(parts: readonly Keywords[], low: string, high: string): Bounds {
  const least = Math.max(...parts.map((part) => ownNumber(part, low) ?? -Infinity));
  const most = Math.min(...parts.map((part) => ownNumber(part, high) ?? Infinity));
  return { ...(Number.isFinite(least) && { least }), ...(Number.isFinite(most) && { most }) };
}

export function isInBounds(value: number, { least = -Infinity, most = Infinity }: Bounds): boolean {
  return value >= least && value <= most;
}

/** The range of a number: the ends that belong to it, those that do not, and steps that it must be a multiple of. */
export interface SchemaRange {
  readonly within: Bounds;
  readonly between: Bounds;
  readonly steps: readonly number[];
}

export function readNumberRange(parts: readonly Keywords[]): SchemaRange {
  const modern = parts.map(withoutFlags);
  const steps = parts.map((part) => ownNumber(part, "multipleOf")).filter((step) => step !== undefined && step > 0);
  return {
    within: readBounds(modern, "minimum", "maximum"),
    between: readBounds(modern, "exclusiveMinimum", "exclusiveMaximum"),
    steps: steps as number[],
  };
}

/** In draft 4 the exclusive keywords are flags beside the bound. */
function withoutFlags(part: Keywords): Keywords {
  const [low, high] = [own(part, "minimum"), own(part, "maximum")];
  const [above, below] = [own(part, "exclusiveMinimum"), own(part, "exclusiveMaximum")];
  return {
    ...(above === true ? { exclusiveMinimum: low } : { minimum: low, exclusiveMinimum: above }),
    ...(below === true ? { exclusiveMaximum: high } : { maximum: high, exclusiveMaximum: below }),
  };
}

export function isInRange(value: number, { within, between }: SchemaRange): boolean {
  const { least = -Infinity, most = Infinity } = between;
  return isInBounds(value, within) && value > least && value < most;
}

/** Whether a number is a multiple of a step, as far as floating point allows. */
export function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  if (!Number.isFinite(times)) return value % step === 0;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

/** The schemas of the first items of an array, and of the rest; before 2020-12 a list of `items` was the former. */
export function itemSchemas(part: Keywords): { readonly first: readonly unknown[]; readonly rest: unknown } {
  const items = own(part, "items");
  const list = asArray(items);
  return list === undefined
    ? { first: ownArray(part, "prefixItems"), rest: items }
    : { first: list, rest: own(part, "additionalItems") };
}

export function readFormat(parts: readonly Keywords[]): string | undefined {
  return parts.map((part) => ownString(part, "format")).find((format) => format !== undefined);
}

export function readPatterns(parts: readonly Keywords[]): readonly string[] {
  return parts.map((part) => ownString(part, "pattern")).filter((pattern) => pattern !== undefined);
}

/** A format that is known by name: its phrase, and a rough test that every right text passes. */
interface KnownFormat {
  readonly phrase: string;
  readonly fits?: (text: string) => boolean;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?/;
const ZONE = /^(z|[+-]\d\d:?\d\d)$/i;
const MAIL = /^(?:[^\s@]+|".+")@[^\s@]+$/;
const ADDRESS_WITH_SCHEME = /^[a-z][a-z\d+.-]*:\S+$/i;

const CHECKED_FORMATS: Readonly<Record<string, KnownFormat>> = {
  date: { phrase: "a date (YYYY-MM-DD)", fits: isDay },
  "date-time": {
    phrase: "a date-time (YYYY-MM-DDThh:mm:ssZ)",
    fits: (text) => isDay(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && isClock(text.slice(11), ZONE),
  },
  time: { phrase: "a time (hh:mm:ss)", fits: (text) => isClock(text, /^$/) || isClock(text, ZONE) },
  duration: { phrase: "an ISO 8601 duration", fits: (text) => /^P(?=.)[\dYMWDTHS.,]+$/.test(text) },
  email: { phrase: "an email address", fits: (text) => MAIL.test(text) },
  "idn-email": { phrase: "an email address", fits: (text) => MAIL.test(text) },
  uri: { phrase: "a URI with a scheme", fits: (text) => ADDRESS_WITH_SCHEME.test(text) },
  url: { phrase: "a URL with a scheme", fits: (text) => ADDRESS_WITH_SCHEME.test(text) },
  iri: { phrase: "an IRI with a scheme" },
  "uri-reference": { phrase: "a URI or a relative reference" },
  uuid: { phrase: "a UUID", fits: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) },
  guid: { phrase: "a UUID" },
  hostname: { phrase: "a host name" },
  ipv4: { phrase: "an IPv4 address", fits: (text) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) },
  ipv6: { phrase: "an IPv6 address", fits: (text) => /^[\da-f:.]{2,45}$/i.test(text) && text.includes(":") },
  "json-pointer": { phrase: "a JSON Pointer" },
  regex: { phrase: "a regular expression" },
  base64: { phrase: "base64 text" },
  base64url: { phrase: "base64url text" },
  byte: { phrase: "base64 text" },
};

function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // `Date.UTC` takes years below 100 for those of the twentieth century, so only month and day are compared.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isClock(text: string, zone: RegExp): boolean {
  const [clock] = CLOCK.exec(text) ?? [];
  return clock !== undefined && zone.test(text.slice(clock.length));
}

/** The phrase of a format; one that is not known is named, when its name is a plain one. */
export function formatPhrase(name: string): string | undefined {
  if (isKnownFormat(name)) return CHECKED_FORMATS[name]?.phrase;
  return /^[a-z][a-z\d_-]{0,39}$/i.test(name) ? `text in the format ${name}` : undefined;
}

export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(CHECKED_FORMATS, name);
}

/** Whether a text fits its format; undefined if that is not checked. */
export function fitsFormat(name: string, text: string): boolean | undefined {
  return isKnownFormat(name) ? CHECKED_FORMATS[name]?.fits?.(text) : undefined;
}
