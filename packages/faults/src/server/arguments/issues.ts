import { type Issue, MAX } from "../../fault/fault.ts";
import { check } from "./check.ts";
import { describe, hasForm, sayForm } from "./describe.ts";
import { locate, type Spot } from "./locate.ts";
import { partsOf } from "./parts.ts";
import type { Path } from "./paths.ts";
import { inOrder, type Problem, problemAt } from "./place.ts";
import { unknownAt } from "./unknown.ts";
import { type JsonSchema, startWalk, type Walk } from "./walk.ts";

export { pathsOf } from "./paths.ts";
export type { JsonSchema } from "./walk.ts";

/** More reported paths than this are not looked at. */
const MOST_PATHS = 100;

/**
 * What is wrong with the arguments of a tool, told from its schema alone.
 * The paths are where a validator says that they fail; without any, the arguments are checked here.
 * Neither the received values nor keys that the caller made up are ever part of an issue.
 */
export function issuesFor(args: unknown, schema: JsonSchema | undefined, paths: readonly Path[]): Issue[] {
  const problems: Problem[] = [];
  try {
    const walk = startWalk(schema ?? true);
    problems.push(...atPaths(walk, args, paths.slice(0, MOST_PATHS)));
  } catch {
    // Nothing above is known to throw; if something does, the refusal is told without its issues.
  }
  return inOrder(problems, MAX.issues);
}

function atPaths(walk: Walk, args: unknown, paths: readonly Path[]): Problem[] {
  // That something is wrong somewhere explains nothing.
  if (paths.every((path) => path.length === 0)) return inWhole(walk, args, paths.length > 0);
  const problems: Problem[] = [];
  const unexplained: { spot: Spot; path: Path }[] = [];
  for (const path of paths) {
    const spot = locate(walk, args, path);
    const found = problemsOf(walk, spot);
    problems.push(...found);
    if (found.length === 0) unexplained.push({ spot, path });
  }
  for (const { spot, path } of unexplained) {
    // Validators repeat a failure at each object around it; the innermost tells it best.
    if (paths.some((other) => isBelow(other, path))) continue;
    const deeper = checkAt(walk, spot, true);
    problems.push(...(deeper.length > 0 ? deeper : [unexplainedAt(walk, spot)]));
  }
  return problems;
}

function inWhole(walk: Walk, args: unknown, isReported: boolean): Problem[] {
  const spot = locate(walk, args, []);
  const problems = checkAt(walk, spot, true);
  return problems.length === 0 && isReported ? [unexplainedAt(walk, spot)] : problems;
}

function isBelow(path: Path, above: Path): boolean {
  return path.length > above.length && above.every((key, index) => String(key) === String(path[index]));
}

function problemsOf(walk: Walk, spot: Spot): Problem[] {
  if (spot.state === "unknown") return [unknownAt(walk, spot.place, spot, spot.key ?? "")];
  if (spot.state === "missing")
    return [problemAt(spot.place, { rule: "required", expected: describe(walk, spot.node) })];
  return checkAt(walk, spot, false);
}

function checkAt(walk: Walk, { place, node, value }: Spot, deep: boolean): Problem[] {
  return check({ walk, place, deep, depth: 0, offset: 0 }, node, value);
}

/** The schema allows the value and the validator does not: a form that only it can check, or a rule of its own. */
function unexplainedAt(walk: Walk, { place, node, value }: Spot): Problem {
  const parts = partsOf(walk, node).all;
  const isForm = typeof value === "string" && hasForm(parts);
  return problemAt(place, isForm ? { rule: "format", expected: sayForm(parts) } : { rule: "custom" });
}
