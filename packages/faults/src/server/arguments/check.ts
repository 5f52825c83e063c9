import { MAX } from "../../fault/fault.ts";
import { checkArray } from "./check-array.ts";
import { checkObject } from "./check-object.ts";
import { checkNumber, checkText } from "./check-scalar.ts";
import { childOf, widthOf } from "./child.ts";
import { choicesOf, isChoice, slipOf } from "./choices.ts";
import { describe, sayChoices } from "./describe.ts";
import { narrow } from "./narrow.ts";
import { partsOf, unionsOf } from "./parts.ts";
import { below, type Problem, problemAt } from "./place.ts";
import { at, has, isObject, listOf, type Members } from "./read.ts";
import { isOfType, typesOf } from "./types.ts";
import type { Visit } from "./visit.ts";
import { DEEPEST, spend } from "./walk.ts";

/** All problems of a value against a schema; only those of the value itself unless the visit is deep. */
export function check(from: Visit, node: unknown, value: unknown): Problem[] {
  const visit = { ...from, whole: from.whole ?? node };
  const { walk, place } = visit;
  if (visit.depth > DEEPEST || !spend(walk, 1)) return [];
  const parts = partsOf(walk, node);
  if (parts.never) return [problemAt(place, { rule: "custom" })];

  const choices = choicesOf(walk, node);
  if (choices !== undefined && !isChoice(walk, value, choices)) {
    const suggestion = slipOf(walk, value, choices);
    return [problemAt(place, { rule: "choice", expected: sayChoices(choices), suggestion })];
  }
  const types = typesOf(walk, node);
  if (types !== undefined && !isOfType(value, types))
    return [problemAt(place, { rule: "type", expected: describe(walk, node) })];

  const own = checkOwn(visit, { node, value, parts: parts.all });
  let offset = visit.offset;
  for (const part of parts.all) {
    offset += widthOf(walk, part);
    for (const branches of unionsOf(part)) own.push(...checkUnion({ ...visit, offset }, branches, value));
    own.push(...checkCondition({ ...visit, offset }, part, value));
    if (own.length > MAX.issues) break;
  }
  return own;
}

function checkOwn(visit: Visit, seen: { node: unknown; value: unknown; parts: readonly Members[] }): Problem[] {
  const { value } = seen;
  if (typeof value === "string") return checkText(visit, seen.parts, value);
  if (typeof value === "number") return checkNumber(visit, seen.parts, value);
  const list = listOf(value);
  if (list !== undefined) return checkArray(visit, seen.parts, list, check);
  return isObject(value) ? checkObject(visit, { ...seen, value }, check) : [];
}

/** A value must fit one branch; if it fits none, it is told what is wrong with the one that it was meant for. */
function checkUnion(visit: Visit, branches: readonly unknown[], value: unknown): Problem[] {
  const { walk, place } = visit;
  const { fitting, by } = narrow(walk, branches, value);
  if (by !== undefined) {
    const child = childOf(walk, { anyOf: fitting }, value, by.key) ?? { rank: 0 };
    const tag = below(place, by.key, { rank: visit.offset + child.rank, named: true });
    const expected = sayChoices(by.choices);
    if (!has(value, by.key)) return [problemAt(tag, { rule: "required", expected })];
    return [problemAt(tag, { rule: "choice", expected, suggestion: slipOf(walk, at(value, by.key), by.choices) })];
  }
  const each: Problem[][] = [];
  for (const branch of fitting) {
    const problems = check({ ...visit, depth: visit.depth + 1 }, branch, value);
    if (problems.length === 0) return [];
    each.push(problems);
  }
  const [fewest] = each.toSorted((a, b) => a.length - b.length);
  if (fewest === undefined) return [problemAt(place, { rule: "type", expected: describe(walk, { anyOf: branches }) })];
  if (fitting.length === 1 || typeof value === "object") return fewest;
  const rule = fewest[0]?.issue.rule ?? "custom";
  return [problemAt(place, { rule, expected: describe(walk, { anyOf: fitting }) })];
}

/** `if` decides between `then` and `else`; it looks at the whole value, however deep the visit goes. */
function checkCondition(visit: Visit, part: Members, value: unknown): Problem[] {
  if (!has(part, "if")) return [];
  const deeper = { ...visit, depth: visit.depth + 1 };
  const isMet = check({ ...deeper, deep: true }, at(part, "if"), value).length === 0;
  const node = at(part, isMet ? "then" : "else");
  return node === undefined ? [] : check(deeper, node, value);
}
