import type { Issue } from "@recourse/faults";
import { argumentPath } from "../operations/locate.ts";
import type { Operation } from "../operations/operation.ts";

/**
 * What a service says about fields of its request, said about the arguments of the tool. A field that the tool's own
 * schema does not know is left out: it could be anything, and the caller could do nothing about it.
 */
export function argumentIssues(operation: Operation, issues: readonly Issue[]): readonly Issue[] {
  return issues.flatMap((issue) => {
    const path = argumentPath(operation, pathOf(issue.pointer));
    return path === undefined ? [] : [{ ...issue, pointer: pointerOf(path) }];
  });
}

function pathOf(pointer: string): readonly string[] {
  const tokens = pointer.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
