// What the text of a refusal says about wrong arguments.
import { arrayAt, isObject, type JsonObject, memberAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Exchange, WrongField } from "../recording/recording.ts";
import { modelText } from "./exchanges.ts";

/** The fields that a refusal has to name: unknown keys are not among them, since a server need not repeat those. */
export function wrongFields({ sent }: Exchange): readonly WrongField[] {
  return (sent.wrong ?? []).filter(({ rule }) => rule !== "extra-key");
}

/** What the model reads, without the name of the tool: that may hold the name of a field. */
export function refusalText({ answer, tool }: Exchange): string {
  const text = modelText(answer);
  return tool === undefined || tool === "" ? text : text.replaceAll(tool, "…");
}

/** Whether a text names a field as a word of its own. */
export function names(text: string, field: string): boolean {
  for (let at = text.indexOf(field); at >= 0 && field !== ""; at = text.indexOf(field, at + 1))
    if (!isWordChar(text[at - 1]) && !isWordChar(text[at + field.length])) return true;
  return false;
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_$]/u.test(char);
}

/** Words for the types of JSON Schema, as validators and authors write them. */
const TYPE_WORDS =
  /\b(?:strings?|texts?|str|numbers?|numeric|integers?|int|whole|floats?|booleans?|bool|true|arrays?|lists?|objects?|records?|dict(?:ionary)?|maps?|null|uuid|date|url|uri|e-?mail)\b/i;

/** Whether a text says what was expected of at least one wrong field. */
export function saysExpected(text: string, fields: readonly WrongField[]): boolean {
  return fields.some((field) => EXPECTED[field.rule](text, field));
}

const EXPECTED: Readonly<Record<WrongField["rule"], (text: string, field: WrongField) => boolean>> = {
  type: (text, { schema }) => TYPE_WORDS.test(text) || namesChoices(text, schema) || namesBound(text, schema),
  missing: (text, { schema }) =>
    /\b(?:required|requires|missing|must be|need(?:s|ed)?|provide|expected)\b/i.test(text) ||
    TYPE_WORDS.test(text) ||
    namesChoices(text, schema),
  enum: namesChoicesOf,
  range: (text, { schema }) => namesBound(text, schema) || (hasGeneratedBounds(schema) && TYPE_WORDS.test(text)),
  "extra-key": () => true,
};

function namesChoicesOf(text: string, { schema }: WrongField): boolean {
  return namesChoices(text, schema);
}

function namesChoices(text: string, schema: JsonObject | undefined): boolean {
  const listed = arrayAt(schema, "enum");
  const named = (choices: readonly unknown[]) => choices.filter((choice) => names(text, String(choice))).length;
  if (listed.length > 0) return named(listed) >= Math.min(2, listed.length);
  // Validators report one choice of a union of literals.
  const union = [...arrayAt(schema, "anyOf"), ...arrayAt(schema, "oneOf")];
  return named(union.flatMap((one) => (isObject(one) && "const" in one ? [one["const"]] : arrayAt(one, "enum")))) >= 1;
}

const BOUNDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
];

/** Generators of schemas write the bounds of safe integers into every integer. No author means them: "an integer" says enough. */
function hasGeneratedBounds(schema: JsonObject | undefined): boolean {
  const bounds = BOUNDS.map((key) => memberAt(schema, key)).filter((bound) => typeof bound === "number");
  return bounds.length > 0 && bounds.every((bound) => Math.abs(bound) === Number.MAX_SAFE_INTEGER);
}

/** A bound of the schema in figures, with or without separators, or a word for an empty value. */
function namesBound(text: string, schema: JsonObject | undefined): boolean {
  const figures = text.replace(/(?<=\d)[,_'](?=\d{3})/g, "");
  const bounds = BOUNDS.map((key) => memberAt(schema, key)).filter((bound) => typeof bound === "number");
  if (bounds.some((bound) => names(figures, String(bound)))) return true;
  if (bounds.includes(1) && /\b(?:empty|non-?empty|positive|at least one)\b/i.test(text)) return true;
  if (bounds.includes(0) && /\b(?:negative|positive)\b/i.test(text)) return true;
  const pattern = stringAt(schema, "pattern") ?? stringAt(schema, "format");
  return pattern !== undefined && (text.includes(pattern) || /\b(?:format|pattern|match)/i.test(text));
}
