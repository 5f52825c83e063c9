import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { patternCost } from "@recourse/core/schema";
import { booleanAt, isObject, type JsonObject, objectAt, stringAt } from "@recourse/core/wire";
import type { SparedTool } from "../recording/recording.ts";
import { describesChange, readsByName, toolChangingWord } from "../words/verbs.ts";
import { validObject } from "./valid-arguments.ts";

/** A tool that gets arguments. */
export interface ChosenTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
  /** Arguments that its schema accepts, about things that do not exist. */
  readonly valid: JsonObject;
  readonly judge: SchemaJudge;
}

/** What the user allows. */
export interface Permission {
  /** Tools that the user named. Only these are called then. */
  readonly tools?: readonly string[] | undefined;
  /** Whether tools may be called that change something. */
  readonly allowWrites?: boolean | undefined;
  /** Whether tools without a `readOnlyHint` may be called whose name and description only read. @default false */
  readonly byName?: boolean | undefined;
}

/** Which tools get arguments, and why the others do not. */
export interface ToolChoice {
  readonly chosen: readonly ChosenTool[];
  readonly spared: readonly SparedTool[];
}

/** Valid calls of one era. */
const MAX_CALLED = 6;

/** Chooses the tools that only read, by what they say and by what they are called: what they say may be wrong. */
export function chooseTools(tools: readonly JsonObject[], permission: Permission): ToolChoice {
  const fit: ChosenTool[] = [];
  const spared: SparedTool[] = [];
  for (const tool of tools) {
    const name = stringAt(tool, "name");
    if (name === undefined) continue;
    const refusal = whySpared(tool, name, permission);
    const made = prepareTool(tool, name, permission);
    // What no annotation would change is said first: `unannotated` means that nothing else is in the way.
    const isFinal = refusal?.why === "writes" || refusal?.why === "not-named";
    if ("because" in made && !isFinal) spared.push({ tool: name, ...made });
    else if (refusal !== undefined) {
      const byName = refusal.why === "unannotated" && readsByName(tool);
      spared.push({ tool: name, ...refusal, ...(byName && { byName }) });
    } else if ("inputSchema" in made) fit.push(made);
  }
  // A tool with required arguments shows more than one without.
  const ranked = [...fit].sort((one, other) => needs(other) - needs(one));
  const chosen = fit.filter((tool) => ranked.indexOf(tool) < MAX_CALLED);
  for (const tool of fit)
    if (!chosen.includes(tool))
      spared.push({ tool: tool.name, why: "limit", because: `A probe calls at most ${MAX_CALLED} tools.` });
  return { chosen, spared };
}

function needs({ valid }: ChosenTool): number {
  return Object.keys(valid).length > 0 ? 1 : 0;
}

/** Why a tool is left alone, without its name. */
type SparingReason = Required<Pick<SparedTool, "why" | "because">>;

function whySpared(tool: JsonObject, name: string, permission: Permission): SparingReason | undefined {
  const { tools, allowWrites = false, byName = false } = permission;
  if (tools !== undefined)
    return tools.includes(name) ? undefined : { why: "not-named", because: "You named other tools." };
  if (allowWrites) return undefined;
  const annotations = objectAt(tool, "annotations");
  const readOnly = booleanAt(annotations, "readOnlyHint");
  const changes = readsByName(tool) ? "disputed" : "writes";
  if (booleanAt(annotations, "destructiveHint") === true)
    return { why: changes, because: "It says that it may destroy something (destructiveHint)." };
  if (readOnly === false) return { why: changes, because: "It says that it changes something (readOnlyHint)." };
  const claim = readOnly === undefined ? "It does not say that it only reads, and" : "It says that it only reads, but";
  const word = toolChangingWord(tool);
  if (word !== undefined) return { why: "writes", because: `${claim} its name has the word "${word}".` };
  if (describesChange(stringAt(tool, "description") ?? "") && !readsByName(tool))
    return { why: "writes", because: `${claim} its description begins with a change.` };
  return readOnly === undefined && !(byName && readsByName(tool))
    ? { why: "unannotated", because: "It does not say that it only reads (readOnlyHint)." }
    : undefined;
}

function prepareTool(
  tool: JsonObject,
  name: string,
  { tools, allowWrites = false }: Permission,
): ChosenTool | SparingReason {
  const inputSchema = tool["inputSchema"];
  const compiled = compileSchema(inputSchema);
  if (!compiled.ok) return { why: "schema", because: compiled.because };
  if (!isObject(inputSchema)) return { why: "schema", because: "Its input schema is not an object." };
  const anyChoice = allowWrites || tools !== undefined;
  const made = validObject(inputSchema, { root: inputSchema, anyChoice });
  if (made === undefined) {
    const because = "A required argument has only choices that mean a change, or no value could be made for it.";
    return { why: "schema", because };
  }
  const valid = made.value as JsonObject;
  if (!compiled.judge.accepts(valid))
    return { why: "schema", because: "No arguments were found that its input schema accepts." };
  return { name, inputSchema, valid, judge: compiled.judge };
}

/** What a schema says about a value. A value that it cannot be tried on is neither accepted nor refused. */
export interface SchemaJudge {
  accepts(value: unknown): boolean;
  refuses(value: unknown): boolean;
}

/** A schema that values can be tried against, or why it cannot be used. */
type CompiledSchema =
  | { readonly ok: true; readonly judge: SchemaJudge }
  | { readonly ok: false; readonly because: string };

/** The values that are tried are short; a pattern that needs more than this on them could stall the probe. */
const TRIED_LENGTH = 256;
const MAX_WAYS = 300_000;
const MAX_SCHEMA_NODES = 5_000;
const MAX_SCHEMA_DEPTH = 64;

/** Makes a validator of a schema that a server listed. Such a schema can be anything, also an attack. */
export function compileSchema(schema: unknown): CompiledSchema {
  if (!isObject(schema)) return { ok: false, because: "Its input schema is not an object." };
  const problem = schemaDanger(schema);
  if (problem !== undefined) return { ok: false, because: problem };
  try {
    const validator = new Validator(schema as Schema, schemaDraft(schema), true);
    validator.validate({});
    const says = (value: unknown, expected: boolean): boolean => {
      try {
        return validator.validate(value).valid === expected;
      } catch {
        return false;
      }
    };
    return { ok: true, judge: { accepts: (value) => says(value, true), refuses: (value) => says(value, false) } };
  } catch {
    return { ok: false, because: "Its input schema cannot be compiled." };
  }
}

function schemaDraft(schema: JsonObject): SchemaDraft {
  const named = stringAt(schema, "$schema") ?? "";
  if (/draft-0[467]/.test(named)) return named.includes("draft-04") ? "4" : "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Why a schema is not tried: too large, too deep, or a pattern that could run forever. */
function schemaDanger(schema: JsonObject): string | undefined {
  let nodes = 0;
  const visit = (value: unknown, depth: number): string | undefined => {
    nodes += 1;
    if (nodes > MAX_SCHEMA_NODES || depth > MAX_SCHEMA_DEPTH) return "Its input schema is too large.";
    if (Array.isArray(value)) return firstDefined(value, (item) => visit(item, depth + 1));
    if (!isObject(value)) return undefined;
    const patterns = [
      stringAt(value, "pattern"),
      ...Object.keys(isObject(value["patternProperties"]) ? value["patternProperties"] : {}),
    ];
    if (patterns.some((pattern) => pattern !== undefined && patternCost(pattern, TRIED_LENGTH) > MAX_WAYS))
      return "Its input schema has a pattern that can take very long.";
    return firstDefined(Object.values(value), (item) => visit(item, depth + 1));
  };
  return visit(schema, 0);
}

function firstDefined<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
