import { MAX } from "../../fault/fault.ts";
import { nearest } from "../../fault/nearest.ts";
import { toLine } from "../../safety/line.ts";
import { partsOf, unionsOf } from "./parts.ts";
import { at, has, listOf, type Members } from "./read.ts";
import { identityOf } from "./same.ts";
import { spend, type Walk } from "./walk.ts";

/** More names than this are not compared with a slip. */
const COMPARED = 100;
/** More values than this are no list that anybody could choose from. */
const MOST = 10_000;

/** The values that a schema allows, when it lists them: `enum`, `const`, or a choice between such. */
export function choicesOf(walk: Walk, node: unknown, depth = 0): readonly unknown[] | undefined {
  let choices: readonly unknown[] | undefined;
  for (const part of partsOf(walk, node).all) {
    for (const more of [listedIn(part), ...unionsOf(part).map((branches) => choicesOfAny(walk, branches, depth))]) {
      if (more === undefined) continue;
      choices = choices === undefined ? more : choices.filter((choice) => isChoice(walk, choice, more));
    }
  }
  return choices;
}

function choicesOfAny(walk: Walk, branches: readonly unknown[], depth: number): readonly unknown[] | undefined {
  if (depth > 4) return undefined;
  const all: unknown[] = [];
  for (const branch of branches) {
    const choices = choicesOf(walk, branch, depth + 1) ?? onlyNull(branch);
    if (choices === undefined || all.length > MOST) return undefined;
    for (const choice of choices) all.push(choice);
  }
  return all;
}

function listedIn(part: Members): readonly unknown[] | undefined {
  const listed = has(part, "const") ? [at(part, "const")] : listOf(at(part, "enum"));
  return listed !== undefined && at(part, "nullable") === true ? [...listed, null] : listed;
}

function onlyNull(branch: unknown): readonly unknown[] | undefined {
  return at(branch, "type") === "null" ? [null] : undefined;
}

/** Tells whether a value is among the choices; one that is too large to compare passes. */
export function isChoice(walk: Walk, value: unknown, choices: readonly unknown[]): boolean {
  if (!spend(walk, choices.length)) return true;
  if (choices.includes(value)) return true;
  // Only objects and arrays can be equal without being the same.
  if (typeof value !== "object" || value === null) return false;
  const identity = identityOf(value);
  // Comparing what is large costs as much as looking at it.
  if (!spend(walk, choices.length * 16)) return true;
  return identity === undefined || choices.some((choice) => identityOf(choice) === identity);
}

/** The name that a slip was nearest to; only ever one of the names given. */
export function slipOf(walk: Walk, value: unknown, names: readonly unknown[]): string | undefined {
  if (typeof value !== "string" || value.length > 128) return undefined;
  const known = names.slice(0, COMPARED).filter((name) => typeof name === "string" && isShown(name)) as string[];
  return spend(walk, known.length * 64) ? nearest(value, known, 1)[0] : undefined;
}

/** A name is suggested whole or not at all. */
function isShown(name: string): boolean {
  return name !== "" && name.length <= MAX.issueText && toLine(name, MAX.issueText) === name;
}
