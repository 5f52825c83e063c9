import type { Issue } from "../../fault/fault.ts";
import { issuesFor, type JsonSchema } from "./issues.ts";

/** What is wrong with the arguments of a tool by its JSON Schema, nothing where they satisfy it; values are never part of it. */
export function checkArguments(args: unknown, schema: JsonSchema): readonly Issue[] {
  return issuesFor(args, schema, []);
}
