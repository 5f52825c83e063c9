import { INVISIBLE_CHARACTERS } from "@recourse/core/safety";
import { isCheapPattern } from "@recourse/core/schema";
import { isObject, type JsonObject } from "@recourse/core/wire";

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const SPACES_AND_CONTROLS = /[\s\u0000-\u001f\u007f-\u009f]+/g;
/** HTML that descriptions use; other angle brackets are content. */
const INLINE_TAGS = /<\/?(?:a|b|code|em|i|span|strong|u)\b[^<>]{0,500}>/gi;
const BLOCK_TAGS = /<\/?(?:blockquote|br|div|h[1-6]|hr|img|li|ol|p|pre|table|tbody|td|th|thead|tr|ul)\b[^<>]{0,500}>/gi;
/** A Markdown image is an address that the reader's program may fetch by itself. */
const IMAGES = /!\[([^\]]{0,200})\]\([^)]{0,2000}\)/g;

/**
 * A text of the document as one printable line of at most `max` characters. Such texts reach a model, and the author of the
 * document is not known, so invisible characters are removed.
 */
export function toPrintableLine(value: unknown, max: number): string {
  if (typeof value !== "string") return "";
  const head = value.slice(0, max * 4 + 1_000).toWellFormed();
  const line = head
    .replace(INVISIBLE_CHARACTERS, "")
    .replace(IMAGES, "$1")
    .replace(INLINE_TAGS, "")
    .replace(BLOCK_TAGS, " ")
    .replace(SPACES_AND_CONTROLS, " ")
    .trim();
  if (line.length <= max && head.length >= value.length) return line;
  const cut = line.slice(0, Math.max(0, max - 1));
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}…`;
}

/** Whether a text can be shown unchanged: it is visible, on one line, and not longer than `max`. */
export function isPrintableLine(text: string, max: number): boolean {
  if (text.length > max || !text.isWellFormed()) return false;
  // Spaces are content here, so only their kind is checked.
  return text.replace(INVISIBLE_CHARACTERS, "").replace(SPACES_AND_CONTROLS, (gap) => " ".repeat(gap.length)) === text;
}

/** A schema holds many descriptions, so each is short. */
const MAX_SCHEMA_DESCRIPTION_LENGTH = 300;
/** A pattern that is not copied is shown in the description, unless it is too long to be understood. */
const MAX_SHOWN_PATTERN_LENGTH = 80;

/** Formats that validators know; some validators refuse a schema with a format that they do not know. */
const KNOWN_FORMATS = new Set(
  "date date-time duration email hostname ipv4 ipv6 time uri uri-reference uuid".split(" "),
);

type CopyKeyword = (value: unknown, node: JsonObject) => unknown;

const asNumber: CopyKeyword = (value) => (typeof value === "number" ? value : undefined);
const asCount: CopyKeyword = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined);
const asFlag: CopyKeyword = (value) => (value === true ? true : undefined);

/** In OpenAPI 3.0 an exclusive bound is a flag beside the bound. */
const inclusiveBound =
  (exclusive: string): CopyKeyword =>
  (value, node) =>
    node[exclusive] === true ? undefined : asNumber(value, node);
const exclusiveBound =
  (inclusive: string): CopyKeyword =>
  (value, node) =>
    value === true ? asNumber(node[inclusive], node) : asNumber(value, node);

const COPIED_KEYWORDS = {
  description: (value) => toPrintableLine(value, MAX_SCHEMA_DESCRIPTION_LENGTH) || undefined,
  enum: (value) => (Array.isArray(value) ? showableChoices(value) : undefined),
  const: (value) => showableChoices([value])?.[0],
  default: showableDefault,
  format: (value) => (typeof value === "string" && KNOWN_FORMATS.has(value) ? value : undefined),
  contentEncoding: (value) => (value === "base64" || value === "base64url" ? value : undefined),
  pattern: (value) => (typeof value === "string" && isCheapPattern(value) ? value : undefined),
  minimum: inclusiveBound("exclusiveMinimum"),
  maximum: inclusiveBound("exclusiveMaximum"),
  exclusiveMinimum: exclusiveBound("minimum"),
  exclusiveMaximum: exclusiveBound("maximum"),
  multipleOf: (value) => (typeof value === "number" && value > 0 ? value : undefined),
  minLength: asCount,
  maxLength: asCount,
  minItems: asCount,
  maxItems: asCount,
  minProperties: asCount,
  maxProperties: asCount,
  uniqueItems: asFlag,
  deprecated: asFlag,
} as const satisfies Readonly<Record<string, CopyKeyword>>;

export function copyKeywords(node: JsonObject): Record<string, unknown> {
  const copied: Record<string, unknown> = {};
  for (const [name, copy] of Object.entries<CopyKeyword>(COPIED_KEYWORDS)) {
    const value = Object.hasOwn(node, name) ? copy(node[name], node) : undefined;
    if (value !== undefined) copied[name] = value;
  }
  // The only format of OpenAPI that says how a text is encoded.
  if (node["format"] === "byte") copied["contentEncoding"] = "base64";
  const { pattern } = node;
  const isShown = typeof pattern === "string" && isPrintableLine(pattern, MAX_SHOWN_PATTERN_LENGTH);
  if (copied["pattern"] === undefined && isShown)
    copied["description"] = `${copied["description"] ?? ""} Pattern: ${pattern}`.trimStart();
  return copied;
}

const MAX_CHOICES = 500;
const MAX_CHOICE_LENGTH = 256;
const MAX_DEFAULT_LENGTH = 1_000;

/** The values of an `enum` or `const`; undefined when one of them cannot be shown, since a shorter list would refuse it. */
export function showableChoices(values: readonly unknown[]): readonly unknown[] | undefined {
  if (values.length === 0 || values.length > MAX_CHOICES) return undefined;
  return values.every(isShowable) ? values : undefined;
}

function isShowable(value: unknown): boolean {
  return typeof value === "string"
    ? isPrintableLine(value, MAX_CHOICE_LENGTH)
    : value === null || typeof value !== "object";
}

export function showableDefault(value: unknown): unknown {
  if (!Array.isArray(value) && !isObject(value)) return isShowable(value) ? value : undefined;
  const text = JSON.stringify(value);
  return text.length <= MAX_DEFAULT_LENGTH && toPrintableLine(text, MAX_DEFAULT_LENGTH) === text ? value : undefined;
}

const JSON_TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

/** The types that a node names; none if one of them does not exist, since the others alone would refuse too much. */
export function declaredTypes({ type }: JsonObject): readonly string[] {
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  return named.every((one) => typeof one === "string" && JSON_TYPES.has(one)) ? [...new Set(named as string[])] : [];
}

/** Allows null if OpenAPI 3.0 says `nullable`. */
export function withNullable(schema: JsonSchemaObject, { nullable }: JsonObject): JsonSchemaObject {
  if (nullable !== true) return schema;
  const { description, ...rest } = schema;
  const described = description === undefined ? {} : { description };
  // A union has types of its own, so null becomes another branch beside it.
  if (Object.hasOwn(rest, "anyOf") || Object.hasOwn(rest, "allOf"))
    return { ...described, anyOf: [rest, { type: "null" }] };
  const { type, enum: choices, const: only, ...more } = rest;
  const types = type === undefined ? [] : [type].flat();
  const allowed = only === undefined ? choices : [only];
  return {
    ...described,
    ...(types.length > 0 && { type: [...new Set([...types, "null"])] }),
    ...(Array.isArray(allowed) && { enum: [...new Set([...allowed, null])] }),
    ...more,
  };
}

/** A JSON Schema 2020-12 without references, as tools publish it. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;
