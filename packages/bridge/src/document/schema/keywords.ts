import type { Json } from "../json.ts";
import { isPrintable, toText } from "../text.ts";
import { isCheapPattern } from "./pattern.ts";
import { choicesOf, defaultOf } from "./values.ts";

/** Descriptions inside a schema are many, so each is short. */
const LONGEST_DESCRIPTION = 300;
/** A pattern that is not taken over is told, unless it is too long to be understood. */
const LONGEST_PATTERN = 80;

/** Formats that validators know; a validator may refuse a schema for one that it does not know. */
const FORMATS = new Set([
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "time",
  "uri",
  "uri-reference",
  "uuid",
]);

type Keyword = (value: unknown, node: Json) => unknown;

const number: Keyword = (value) => (typeof value === "number" ? value : undefined);
const count: Keyword = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined);
const flag: Keyword = (value) => (value === true ? true : undefined);

/** In OpenAPI 3.0 an exclusive bound is a flag beside the bound. */
const bound =
  (exclusive: string): Keyword =>
  (value, node) =>
    node[exclusive] === true ? undefined : number(value, node);
const exclusiveBound =
  (inclusive: string): Keyword =>
  (value, node) =>
    value === true ? number(node[inclusive], node) : number(value, node);

/** Keywords without schemas in them, and how each is taken over; what is not here is left out. */
const KEYWORDS = {
  description: (value) => toText(value, LONGEST_DESCRIPTION) || undefined,
  enum: (value) => (Array.isArray(value) ? choicesOf(value) : undefined),
  const: (value) => choicesOf([value])?.[0],
  default: defaultOf,
  format: (value) => (typeof value === "string" && FORMATS.has(value) ? value : undefined),
  contentEncoding: (value) => (value === "base64" || value === "base64url" ? value : undefined),
  pattern: (value) => (typeof value === "string" && isCheapPattern(value) ? value : undefined),
  minimum: bound("exclusiveMinimum"),
  maximum: bound("exclusiveMaximum"),
  exclusiveMinimum: exclusiveBound("minimum"),
  exclusiveMaximum: exclusiveBound("maximum"),
  multipleOf: (value) => (typeof value === "number" && value > 0 ? value : undefined),
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  uniqueItems: flag,
  deprecated: flag,
} as const satisfies Readonly<Record<string, Keyword>>;

/** The keywords of a node that hold no schemas. */
export function plainKeywords(node: Json): Record<string, unknown> {
  const taken: Record<string, unknown> = {};
  for (const [name, take] of Object.entries<Keyword>(KEYWORDS)) {
    const value = Object.hasOwn(node, name) ? take(node[name], node) : undefined;
    if (value !== undefined) taken[name] = value;
  }
  // The only format of OpenAPI that says how a text is written.
  if (node["format"] === "byte") taken["contentEncoding"] = "base64";
  const { pattern } = node;
  if (taken["pattern"] === undefined && typeof pattern === "string" && isPrintable(pattern, LONGEST_PATTERN))
    taken["description"] = `${taken["description"] ?? ""} Pattern: ${pattern}`.trimStart();
  return taken;
}
