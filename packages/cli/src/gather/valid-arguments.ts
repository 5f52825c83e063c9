import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt, unescapeToken } from "@recourse/core/wire";
import { decodePart } from "../program/secrets.ts";
import type { PlantedValues } from "../recording/recording.ts";
import { isQuiet, quietFlag, readingChoice } from "../words/verbs.ts";
import { textForPattern } from "./text-for-pattern.ts";

/** Values that exist nowhere. They are the same in every probe, so two recordings of one server can be compared. */
export const MISSING_VALUES = {
  text: "recourse-probe-value",
  path: "/recourse-probe/value",
  url: "https://recourse-probe.invalid/",
  email: "recourse-probe@recourse-probe.invalid",
  uuid: "00000000-0000-0000-0000-000000000000",
} as const;

/** What a probe plants, to see whether it comes back. */
export const PLANTED: PlantedValues = {
  canary: "recourse-canary-8f3a61c2d94e",
  canaryName: "RECOURSE_PROBE_CANARY",
  bait: "sk-probe-7Qm2Zx9LwT4vKp8RbN3sYd6H",
};

/** How values are made. */
interface ValueOptions {
  /** The schema that `$ref` points into. */
  readonly root: JsonObject;
  /** Whether any choice will do, also one that means a change. */
  readonly anyChoice: boolean;
}

/** A value for a schema. Undefined if none could be made, or only one that means a change. */
type MadeValue = { readonly value: unknown } | undefined;

const MAX_MADE_DEPTH = 8;

/** Makes a value that a schema should accept, about something that exists nowhere. */
function validValue(name: string, schema: unknown, options: ValueOptions, depth = 0): MadeValue {
  const shape = resolveSchema(schema, options.root);
  if (shape === undefined || depth > MAX_MADE_DEPTH) return undefined;
  if (Object.hasOwn(shape, "const")) return chooseValue(name, [shape["const"]], options);
  if (Array.isArray(shape["enum"])) return chooseValue(name, shape["enum"], options);
  for (const key of ["anyOf", "oneOf"]) {
    const choices = arrayAt(shape, key);
    if (choices.length === 0) continue;
    const constants = choices.flatMap((one) => (isObject(one) && Object.hasOwn(one, "const") ? [one["const"]] : []));
    if (constants.length === choices.length) return chooseValue(name, constants, options);
    for (const one of choices) {
      const made = stringAt(one, "type") === "null" ? undefined : validValue(name, one, options, depth + 1);
      if (made !== undefined) return made;
    }
  }
  switch (schemaType(shape)) {
    case "string":
      return { value: validText(name, shape) };
    case "integer":
    case "number":
      return { value: validNumber(name, shape) };
    case "boolean":
      return { value: quietFlag(name) };
    case "null":
      return { value: null };
    case "array": {
      const item = validValue(name, memberAt(shape, "items") ?? {}, options, depth + 1);
      const count = Math.min(Math.max(1, Number(shape["minItems"] ?? 1)), Number(shape["maxItems"] ?? 1), 10);
      return item === undefined ? undefined : { value: Array.from({ length: count }, () => item.value) };
    }
    default:
      return validObject(shape, options, depth);
  }
}

/** Makes an object with the members that a schema requires, and those whose absence may mean a change. */
export function validObject(shape: JsonObject, options: ValueOptions, depth = 0): MadeValue {
  const properties = objectAt(shape, "properties");
  const value: Record<string, unknown> = {};
  const loud = Object.keys(properties ?? {}).filter((key) => !options.anyChoice && isLoud(key, properties?.[key]));
  for (const key of new Set([...arrayAt(shape, "required"), ...loud])) {
    if (typeof key !== "string") return undefined;
    const made = validValue(key, memberAt(properties, key) ?? {}, options, depth + 1);
    if (made === undefined) return undefined;
    Object.defineProperty(value, key, { value: made.value, enumerable: true });
  }
  return { value };
}

/** Whether a member that is not given may change something: its default does, or only its presence prevents it. */
function isLoud(key: string, schema: unknown): boolean {
  const usual = memberAt(schema, "default");
  if (typeof usual === "boolean") return !isQuiet(key, usual);
  if (typeof usual === "string") return readingChoice([usual]) === undefined;
  return quietFlag(key) && stringAt(schema, "type") === "boolean";
}

/** The schema behind references, with the members of `allOf`. Undefined for what is no schema. */
export function resolveSchema(schema: unknown, root: JsonObject): JsonObject | undefined {
  let shape: unknown = schema === true ? {} : schema;
  for (let hops = 0; hops < 10; hops += 1) {
    const target = stringAt(shape, "$ref");
    if (target === undefined) break;
    shape = target
      .replace(/^#\/?/, "")
      .split("/")
      .filter((part) => part !== "")
      .reduce<unknown>((at, part) => memberAt(at, unescapeToken(decodePart(part))), root);
  }
  if (!isObject(shape)) return undefined;
  const parts = arrayAt(shape, "allOf").filter(isObject);
  return parts.length === 0 ? shape : Object.assign({}, ...parts, shape);
}

/** The type of a schema, guessed from its other members if it names none. */
export function schemaType(shape: JsonObject): string {
  const type = shape["type"];
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return String(type.find((one) => one !== "null") ?? "null");
  if (isObject(shape["properties"])) return "object";
  return shape["items"] === undefined ? "string" : "array";
}

function chooseValue(name: string, choices: readonly unknown[], { anyChoice }: ValueOptions): MadeValue {
  const [first] = choices;
  const quiet = choices.filter((choice) => typeof choice !== "boolean" || isQuiet(name, choice));
  return readingChoice(quiet) ?? (anyChoice && choices.length > 0 ? { value: first } : undefined);
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uri: MISSING_VALUES.url,
  url: MISSING_VALUES.url,
  email: MISSING_VALUES.email,
  uuid: MISSING_VALUES.uuid,
  date: "2000-01-01",
  time: "00:00:00Z",
  "date-time": "2000-01-01T00:00:00Z",
  hostname: "recourse-probe.invalid",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

const BY_NAME: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/uuid|guid/i, MISSING_VALUES.uuid],
  [/url|uri|link|href/i, MISSING_VALUES.url],
  [/e-?mail/i, MISSING_VALUES.email],
  [/path|file|dir|folder/i, MISSING_VALUES.path],
];

/** Tried in this order if a pattern asks for something else. Numbers are long, so that they name nothing. */
const FOR_PATTERNS = [
  MISSING_VALUES.uuid,
  "recourse",
  "RECOURSE",
  "recourse_probe",
  "recourse/probe",
  "recourse.probe",
  "RP-00000000",
  "2000-01-01",
  "00000000",
  "0000000000000",
  "0",
  "0000",
  "000000",
  "000000000000",
  "0.0.0",
  "a",
  "AA",
  "AAA",
  "#000000",
  MISSING_VALUES.url,
  MISSING_VALUES.path,
  MISSING_VALUES.email,
];

function validText(name: string, shape: JsonObject): string {
  const format = stringAt(shape, "format") ?? "";
  const usual =
    (Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined) ??
    BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ??
    MISSING_VALUES.text;
  const pattern = compileSchemaPattern(shape);
  const fitting = [usual, MISSING_VALUES.text, ...FOR_PATTERNS].map((text) => fitLength(text, shape));
  if (pattern === undefined) return fitting[0] ?? usual;
  return fitting.find((text) => pattern.test(text)) ?? textForPattern(pattern) ?? usual;
}

/** Cuts or lengthens a text to the length that is allowed. */
function fitLength(text: string, shape: JsonObject): string {
  const least = Number(shape["minLength"] ?? 0);
  const most = Number(shape["maxLength"] ?? Number.POSITIVE_INFINITY);
  const long = text.length < least && least <= 256 ? text.padEnd(least, "x") : text;
  return long.length > most ? long.slice(0, Math.max(0, most)) : long;
}

/** The pattern of a schema. Its cost was looked at when the schema was compiled. */
function compileSchemaPattern(shape: JsonObject): RegExp | undefined {
  const source = stringAt(shape, "pattern");
  if (source === undefined) return undefined;
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The other mode may know it.
    }
  }
  return undefined;
}

/** Numbers that name something: the first ones usually exist. */
const NUMBERED = /(?:^|[_-])(?:id|number|no)$|[a-z](?:I[dD]|Number|No)$/;
const MISSING_NUMBER = 999_999_999;

function validNumber(name: string, shape: JsonObject): number {
  const step = Number(shape["multipleOf"] ?? 1);
  const above = Number(shape["exclusiveMinimum"] ?? Number.NEGATIVE_INFINITY);
  const least = Math.max(
    Number(shape["minimum"] ?? Number.NEGATIVE_INFINITY),
    Number.isFinite(above) ? above + step : above,
  );
  const most = Number(shape["maximum"] ?? shape["exclusiveMaximum"] ?? Number.POSITIVE_INFINITY);
  if (NUMBERED.test(name) && step === 1 && least <= MISSING_NUMBER && most > MISSING_NUMBER) return MISSING_NUMBER;
  if (least > 1) return least;
  return most < 1 ? Math.max(most === 0 ? 0 : most - step, least) : 1;
}
