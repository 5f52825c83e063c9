import { arrayAt, isObject, type JsonObject, memberAt, objectAt } from "@recourse/faults/internal-do-not-use";
import type { WrongField } from "../../recording/recording.ts";
import { MISSING, PLANTED } from "../planted.ts";
import { quietFlag } from "../safety/verbs.ts";
import type { SchemaJudge } from "./compile.ts";
import { resolve, typeOf } from "./valid-value.ts";

/** The ladder of wrong arguments, in the order in which they are sent. */
export const RUNGS = ["type", "type-again", "missing", "enum", "range", "extra-key", "bait"] as const;
export type Rung = (typeof RUNGS)[number];

/** Wrong arguments for one tool. */
export interface WrongSet {
  readonly arguments: JsonObject;
  readonly wrong: readonly WrongField[];
}

/** What the sets of one tool are made of. */
export interface SetSource {
  readonly inputSchema: JsonObject;
  /** Arguments that the schema accepts. */
  readonly valid: JsonObject;
  readonly judge: SchemaJudge;
}

const MAX_FIELDS = 3;
const EXTRA_KEY = "recourse_probe_extra";

/** Wrong arguments for a rung, each proven to be refused by the tool's own schema. Undefined if there are none. */
export function wrongSet(rung: Rung, source: SetSource): WrongSet | undefined {
  switch (rung) {
    case "type":
    case "type-again":
      return replaced(source, "type", wrongTypes);
    case "missing":
      return missing(source);
    case "enum":
      return replaced(source, "enum", (shape) => (choicesOf(shape) === undefined ? [] : [MISSING.text]));
    case "range":
      return replaced(source, "range", outOfRange);
    case "extra-key":
      return extraKey(source);
    case "bait":
      return bait(source);
    default:
      return rung satisfies never;
  }
}

/** Replaces arguments, required ones first, by the first candidate that the schema refuses. */
function replaced(
  source: SetSource,
  rule: WrongField["rule"],
  candidates: (shape: JsonObject, field: string) => readonly unknown[],
): WrongSet | undefined {
  const wrong: WrongField[] = [];
  const changed: Record<string, unknown> = {};
  for (const { field, shape, isRequired } of fieldsOf(source)) {
    if (wrong.length >= MAX_FIELDS && !(isRequired && rule === "type")) break;
    const found = candidates(shape, field).find((value) => source.judge.refuses({ ...source.valid, [field]: value }));
    if (found === undefined) continue;
    changed[field] = found;
    wrong.push({ field, rule, schema: shape });
  }
  return proven(source, { ...source.valid, ...changed }, wrong);
}

function missing(source: SetSource): WrongSet | undefined {
  const wrong = fieldsOf(source)
    .filter(({ isRequired }) => isRequired)
    .map(({ field, shape }): WrongField => ({ field, rule: "missing", schema: shape }));
  return proven(source, {}, wrong);
}

function extraKey(source: SetSource): WrongSet | undefined {
  return proven(source, { ...source.valid, [EXTRA_KEY]: MISSING.text }, [{ field: EXTRA_KEY, rule: "extra-key" }]);
}

/** Something that looks like a secret, where no text belongs. */
function bait(source: SetSource): WrongSet | undefined {
  const order = ["number", "integer", "boolean", "array", "object"];
  const field = fieldsOf(source)
    .filter(({ shape }) => order.includes(typeOf(shape)) || choicesOf(shape) !== undefined)
    .sort((one, other) => rankOf(order, one.shape) - rankOf(order, other.shape))[0];
  if (field === undefined) return undefined;
  return proven(source, { ...source.valid, [field.field]: PLANTED.bait }, [
    { field: field.field, rule: choicesOf(field.shape) === undefined ? "type" : "enum", schema: field.shape },
  ]);
}

function rankOf(order: readonly string[], shape: JsonObject): number {
  return choicesOf(shape) === undefined ? order.indexOf(typeOf(shape)) : order.length;
}

function proven(source: SetSource, args: JsonObject, wrong: readonly WrongField[]): WrongSet | undefined {
  return wrong.length > 0 && source.judge.refuses(args) ? { arguments: args, wrong } : undefined;
}

interface Field {
  readonly field: string;
  readonly shape: JsonObject;
  readonly isRequired: boolean;
}

/** The arguments of a tool, required ones first. */
function fieldsOf({ inputSchema }: SetSource): readonly Field[] {
  const required = new Set(arrayAt(inputSchema, "required"));
  const properties = objectAt(inputSchema, "properties") ?? {};
  return Object.keys(properties)
    .slice(0, 200)
    .flatMap((field) => {
      const shape = resolve(memberAt(properties, field), inputSchema);
      return shape === undefined ? [] : [{ field, shape, isRequired: required.has(field) }];
    })
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** Values of other types. A text in a list reads as that text where a server does not look: it names nothing. */
function wrongTypes(shape: JsonObject, field: string): readonly unknown[] {
  // Where a server does not look, a text switches on: 0 does not.
  if (typeOf(shape) === "boolean" && !quietFlag(field)) return [0];
  const isText = typeOf(shape) === "string";
  return isText ? [[MISSING.text], { recourse: "probe" }, 5] : [MISSING.text, [MISSING.text], { recourse: "probe" }];
}

function choicesOf(shape: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(shape["enum"])) return shape["enum"];
  const options = arrayAt(shape, "anyOf");
  const constants = options.flatMap((one) => (isObject(one) && Object.hasOwn(one, "const") ? [one["const"]] : []));
  return options.length > 0 && constants.length === options.length ? constants : undefined;
}

function outOfRange(shape: JsonObject): readonly unknown[] {
  const numberAt = (key: string): number[] => (typeof shape[key] === "number" ? [shape[key] as number] : []);
  if (typeOf(shape) === "string") {
    return [
      ...numberAt("maxLength").flatMap((most) => (most < 200 ? ["x".repeat(most + 1)] : [])),
      ...numberAt("minLength").flatMap((least) => (least > 0 ? [""] : [])),
    ];
  }
  if (typeOf(shape) === "number" || typeOf(shape) === "integer") {
    return [
      ...numberAt("maximum").map((most) => most + 1),
      ...numberAt("exclusiveMaximum"),
      ...numberAt("minimum").map((least) => least - 1),
      ...numberAt("exclusiveMinimum"),
    ];
  }
  return [];
}
