import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import type { RecordedAnswer, WrongField } from "../../recording/recording.ts";
import { FOREIGN_REFUSAL } from "../../words/languages.ts";
import { quietFlag } from "../../words/verbs.ts";
import type { ChosenTool, SchemaJudge } from "../choose-tools.ts";
import type { Talk } from "../talk.ts";
import { MISSING_VALUES, PLANTED, resolveSchema, schemaType } from "../valid-arguments.ts";
import { overlapping, type StimulusGroup } from "./group.ts";

/**
 * The ladder of wrong arguments. A server that does not look at the types of its arguments may run with whatever is
 * missing, so the other rungs are sent only after the first was refused as what it is.
 */
export const wrongArgumentLadder: StimulusGroup = {
  stimulus: "wrong-arguments",
  async run(talk, { chosen }) {
    await overlapping(chosen.map((tool) => () => climbLadder(talk, tool)));
  },
};

async function climbLadder(talk: Talk, tool: ChosenTool): Promise<void> {
  for (const rung of RUNGS) {
    const set = wrongSet(rung, tool);
    // Without a first rung nothing is known about the server's checks.
    if (set === undefined && rung === "type") return;
    if (set === undefined) continue;
    const label = { stimulus: "wrong-arguments", variant: rung, tool: tool.name, wrong: set.wrong } as const;
    const answer = await talk.request(label, "tools/call", { name: tool.name, arguments: set.arguments });
    if (answer === undefined || (rung === "type" && !refusesArguments(answer, set.wrong))) return;
  }
}

const REFUSAL_WORDS =
  /invalid|expected|must (?:be|match|not)|required|validation|not of type|type error|schema|should be|wrong type/i;

/** Texts of a runtime: the arguments were used, not looked at. */
const RUNTIME_WORDS =
  /is not a function|[Cc]annot read propert|is not iterable|undefined is not|\bE[A-Z]{4,}\b|Traceback/;

/** Whether wrong types were refused as wrong arguments, and not by chance further inside. */
export function refusesArguments(answer: RecordedAnswer, wrong: readonly WrongField[]): boolean {
  if (answer.kind !== "message") return false;
  const error = objectAt(answer.message, "error");
  const result = objectAt(answer.message, "result");
  if (error === undefined && memberAt(result, "isError") !== true) return false;
  const text = JSON.stringify(error ?? result);
  if (RUNTIME_WORDS.test(text)) return false;
  if (memberAt(error, "code") === -32602) return true;
  const own = [
    stringAt(error, "message") ?? "",
    ...arrayAt(result, "content").map((one) => stringAt(one, "text") ?? ""),
  ];
  const rest = JSON.stringify([
    memberAt(error, "data"),
    memberAt(result, "error"),
    memberAt(result, "structuredContent"),
    memberAt(result, "_meta"),
  ]);
  const said = `${own.join("\n")}\n${isObject(error) || isObject(result) ? rest : ""}`;
  const refuses = REFUSAL_WORDS.test(said) || FOREIGN_REFUSAL.test(said);
  return refuses && wrong.some(({ field }) => said.includes(field));
}

/** The ladder of wrong arguments, in the order in which they are sent. */
export const RUNGS = ["type", "type-again", "missing", "enum", "range", "extra-key", "bait"] as const;
type Rung = (typeof RUNGS)[number];

/** Wrong arguments for one tool. */
interface WrongSet {
  readonly arguments: JsonObject;
  readonly wrong: readonly WrongField[];
}

/** What the sets of one tool are made of. */
interface SetSource {
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
      return replaceArguments(source, "type", wrongTypes);
    case "missing":
      return missingArguments(source);
    case "enum":
      return replaceArguments(source, "enum", (shape) =>
        schemaChoices(shape) === undefined ? [] : [MISSING_VALUES.text],
      );
    case "range":
      return replaceArguments(source, "range", outOfRange);
    case "extra-key":
      return extraKey(source);
    case "bait":
      return bait(source);
    default:
      return rung satisfies never;
  }
}

/** Replaces arguments, required ones first, by the first candidate that the schema refuses. */
function replaceArguments(
  source: SetSource,
  rule: WrongField["rule"],
  candidates: (shape: JsonObject, field: string) => readonly unknown[],
): WrongSet | undefined {
  const wrong: WrongField[] = [];
  const changed: Record<string, unknown> = {};
  for (const { field, shape, isRequired } of listFields(source)) {
    if (wrong.length >= MAX_FIELDS && !(isRequired && rule === "type")) break;
    const found = candidates(shape, field).find((value) => source.judge.refuses({ ...source.valid, [field]: value }));
    if (found === undefined) continue;
    changed[field] = found;
    wrong.push({ field, rule, schema: shape });
  }
  return proven(source, { ...source.valid, ...changed }, wrong);
}

function missingArguments(source: SetSource): WrongSet | undefined {
  const wrong = listFields(source)
    .filter(({ isRequired }) => isRequired)
    .map(({ field, shape }): WrongField => ({ field, rule: "missing", schema: shape }));
  return proven(source, {}, wrong);
}

function extraKey(source: SetSource): WrongSet | undefined {
  return proven(source, { ...source.valid, [EXTRA_KEY]: MISSING_VALUES.text }, [
    { field: EXTRA_KEY, rule: "extra-key" },
  ]);
}

/** Something that looks like a secret, in a place where no text belongs. */
function bait(source: SetSource): WrongSet | undefined {
  const order = ["number", "integer", "boolean", "array", "object"];
  const field = listFields(source)
    .filter(({ shape }) => order.includes(schemaType(shape)) || schemaChoices(shape) !== undefined)
    .sort((one, other) => baitRank(order, one.shape) - baitRank(order, other.shape))[0];
  if (field === undefined) return undefined;
  return proven(source, { ...source.valid, [field.field]: PLANTED.bait }, [
    { field: field.field, rule: schemaChoices(field.shape) === undefined ? "type" : "enum", schema: field.shape },
  ]);
}

function baitRank(order: readonly string[], shape: JsonObject): number {
  return schemaChoices(shape) === undefined ? order.indexOf(schemaType(shape)) : order.length;
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
function listFields({ inputSchema }: SetSource): readonly Field[] {
  const required = new Set(arrayAt(inputSchema, "required"));
  const properties = objectAt(inputSchema, "properties") ?? {};
  return Object.keys(properties)
    .slice(0, 200)
    .flatMap((field) => {
      const shape = resolveSchema(memberAt(properties, field), inputSchema);
      return shape === undefined ? [] : [{ field, shape, isRequired: required.has(field) }];
    })
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** Values of other types. A text in a list reads as that text if a server does not check: it names nothing. */
function wrongTypes(shape: JsonObject, field: string): readonly unknown[] {
  // If a server does not check, a text switches on: 0 does not.
  if (schemaType(shape) === "boolean" && !quietFlag(field)) return [0];
  const isText = schemaType(shape) === "string";
  return isText
    ? [[MISSING_VALUES.text], { recourse: "probe" }, 5]
    : [MISSING_VALUES.text, [MISSING_VALUES.text], { recourse: "probe" }];
}

function schemaChoices(shape: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(shape["enum"])) return shape["enum"];
  const options = arrayAt(shape, "anyOf");
  const constants = options.flatMap((one) => (isObject(one) && Object.hasOwn(one, "const") ? [one["const"]] : []));
  return options.length > 0 && constants.length === options.length ? constants : undefined;
}

/** Texts that are too long for a schema are not made longer than this. */
const MAX_LONG_TEXT = 2_000;

function outOfRange(shape: JsonObject): readonly unknown[] {
  const numberAt = (key: string): number[] => (typeof shape[key] === "number" ? [shape[key] as number] : []);
  if (schemaType(shape) === "string") {
    return [
      ...numberAt("maxLength").flatMap((most) => (most <= MAX_LONG_TEXT ? ["x".repeat(most + 1)] : [])),
      ...numberAt("minLength").flatMap((least) => (least > 0 ? [""] : [])),
    ];
  }
  if (schemaType(shape) === "number" || schemaType(shape) === "integer") {
    return [
      ...numberAt("maximum").map((most) => most + 1),
      ...numberAt("exclusiveMaximum"),
      ...numberAt("minimum").map((least) => least - 1),
      ...numberAt("exclusiveMinimum"),
    ];
  }
  return [];
}
