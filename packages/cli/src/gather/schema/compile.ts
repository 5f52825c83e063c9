import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { isObject, type JsonObject, patternCost, stringAt } from "@recourse/faults/internal-do-not-use";

/** What a schema says about a value. A value that it cannot be tried on is neither accepted nor refused. */
export interface SchemaJudge {
  accepts(value: unknown): boolean;
  refuses(value: unknown): boolean;
}

/** A schema that values can be tried against, or why it cannot be used. */
export type Compiled =
  | { readonly ok: true; readonly judge: SchemaJudge }
  | { readonly ok: false; readonly because: string };

/** The values that are tried are short; a pattern that needs more than this on them could stall the probe. */
const TRIED_LENGTH = 256;
const MAX_WAYS = 300_000;
const MAX_NODES = 5_000;
const MAX_DEPTH = 64;

/** Makes a validator of a schema that a server listed. Such a schema can be anything, also an attack. */
export function compileSchema(schema: unknown): Compiled {
  if (!isObject(schema)) return { ok: false, because: "Its input schema is not an object." };
  const problem = problemOf(schema);
  if (problem !== undefined) return { ok: false, because: problem };
  try {
    const validator = new Validator(schema as Schema, draftOf(schema), true);
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

function draftOf(schema: JsonObject): SchemaDraft {
  const named = stringAt(schema, "$schema") ?? "";
  if (/draft-0[467]/.test(named)) return named.includes("draft-04") ? "4" : "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Why a schema is not tried: too large, too deep, or a pattern that could take for ever. */
function problemOf(schema: JsonObject): string | undefined {
  let nodes = 0;
  const visit = (value: unknown, depth: number): string | undefined => {
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH) return "Its input schema is too large.";
    if (Array.isArray(value)) return firstOf(value, (item) => visit(item, depth + 1));
    if (!isObject(value)) return undefined;
    const patterns = [
      stringAt(value, "pattern"),
      ...Object.keys(isObject(value["patternProperties"]) ? value["patternProperties"] : {}),
    ];
    if (patterns.some((pattern) => pattern !== undefined && patternCost(pattern, TRIED_LENGTH) > MAX_WAYS))
      return "Its input schema has a pattern that can take very long.";
    return firstOf(Object.values(value), (item) => visit(item, depth + 1));
  };
  return visit(schema, 0);
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
