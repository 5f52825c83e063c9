import { booleanAt, isObject, type JsonObject, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import { compileSchema, type SchemaJudge } from "../schema/compile.ts";
import { validObject } from "../schema/valid-value.ts";
import { changingWord, describesChange } from "./verbs.ts";

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
}

/** Which tools get arguments, and why the others do not. */
export interface Choice {
  readonly chosen: readonly ChosenTool[];
  readonly spared: readonly { readonly tool: string; readonly because: string }[];
}

/** Valid calls of one era. */
const MAX_CALLED = 6;

/** Chooses the tools that only read, by what they say and by what they are called: what they say may be wrong. */
export function chooseTools(tools: readonly JsonObject[], permission: Permission): Choice {
  const fit: ChosenTool[] = [];
  const spared: { tool: string; because: string }[] = [];
  for (const tool of tools) {
    const name = stringAt(tool, "name");
    if (name === undefined) continue;
    const because = whyNot(tool, name, permission);
    const made = because === undefined ? prepare(tool, name, permission) : because;
    if (typeof made === "string") spared.push({ tool: name, because: made });
    else fit.push(made);
  }
  // A tool with required arguments shows more than one without.
  const ranked = [...fit].sort((one, other) => needs(other) - needs(one));
  const chosen = fit.filter((tool) => ranked.indexOf(tool) < MAX_CALLED);
  for (const tool of fit)
    if (!chosen.includes(tool)) spared.push({ tool: tool.name, because: `A probe calls at most ${MAX_CALLED} tools.` });
  return { chosen, spared };
}

function needs({ valid }: ChosenTool): number {
  return Object.keys(valid).length > 0 ? 1 : 0;
}

function whyNot(tool: JsonObject, name: string, { tools, allowWrites = false }: Permission): string | undefined {
  if (tools !== undefined) return tools.includes(name) ? undefined : "You named other tools.";
  if (allowWrites) return undefined;
  const annotations = objectAt(tool, "annotations");
  if (booleanAt(annotations, "readOnlyHint") !== true) return "It does not say that it only reads (readOnlyHint).";
  if (booleanAt(annotations, "destructiveHint") === true)
    return "It says that it may destroy something (destructiveHint).";
  const word = changingWord(name);
  if (word !== undefined) return `It says that it only reads, but its name has the word "${word}".`;
  return describesChange(stringAt(tool, "description") ?? "")
    ? "It says that it only reads, but its description begins with a change."
    : undefined;
}

function prepare(tool: JsonObject, name: string, { tools, allowWrites = false }: Permission): ChosenTool | string {
  const inputSchema = tool["inputSchema"];
  const compiled = compileSchema(inputSchema);
  if (!compiled.ok) return compiled.because;
  if (!isObject(inputSchema)) return "Its input schema is not an object.";
  const anyChoice = allowWrites || tools !== undefined;
  const made = validObject(inputSchema, { root: inputSchema, anyChoice });
  if (made === undefined)
    return "A required argument has only choices that mean a change, or no value could be made for it.";
  const valid = made.value as JsonObject;
  if (!compiled.judge.accepts(valid)) return "No arguments were found that its input schema accepts.";
  return { name, inputSchema, valid, judge: compiled.judge };
}
