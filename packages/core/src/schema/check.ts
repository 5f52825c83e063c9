import { asArray, hasOwn, isRecord, own, ownArray, ownKeys } from "../errors/peek.ts";
import { FAULT_LIMITS, type IssueCode, type IssueRule } from "../fault/fault.ts";
import { choicesPhrase, countPhrase, describeSchema, formPhrase, numberPhrase, suggestName } from "./describe.ts";
import {
  allowedChoices,
  allowedTypes,
  type Bounds,
  fitsFormat,
  isChoice,
  isInBounds,
  isInRange,
  isMultiple,
  isOfType,
  itemSchemas,
  readBounds,
  readFormat,
  readNumberRange,
  readPatterns,
  valueIdentity,
} from "./keywords.ts";
import { keyPatterns, narrowBranches } from "./members.ts";
import { matchesPattern } from "./pattern-cost.ts";
import {
  isNothing,
  type Keywords,
  MAX_CHECK_DEPTH,
  readDependents,
  readUnions,
  type SchemaUnion,
  type Scope,
  schemaParts,
  spendSchemaWork,
} from "./scope.ts";

/** Unknown keys of one object that are reported one by one, since each may be a misspelling of another name. */
const MAX_UNKNOWN_KEYS = 10;

/** Looking at a key costs less than checking its value. */
const KEY_WORK = 0.25;

export type ArgumentPath = readonly (string | number)[];

/** Something wrong at a path. The path may hold keys that the caller made up, so it is not shown unchecked. */
export interface SchemaProblem {
  /** For the rules `required` and `unknown`, the last key is the one that is missing or unknown. */
  readonly path: ArgumentPath;
  readonly rule: IssueRule;
  readonly expected?: string | undefined;
  /** What the author of the schema says about it. */
  readonly message?: string | undefined;
  readonly suggestion?: string | undefined;
  readonly code?: IssueCode | undefined;
  /** For the rule `unknown`, the schema that does not have the key; by default, the whole schema of the place. */
  readonly schema?: unknown;
}

export interface CheckPosition {
  readonly scope: Scope;
  readonly path: ArgumentPath;
  /** Whether the members of the value are checked too. */
  readonly isDeep: boolean;
  readonly depth: number;
}

export function checkValue(visit: CheckPosition, node: unknown, value: unknown): readonly SchemaProblem[] {
  const { scope } = visit;
  if (visit.depth > MAX_CHECK_DEPTH) {
    scope.skipped += 1;
    scope.isTooDeep = true;
  }
  if (visit.depth > MAX_CHECK_DEPTH || !spendSchemaWork(scope, 1)) return [];
  const parts = schemaParts(scope, node);

  const choices = allowedChoices(scope, parts);
  if (choices !== undefined && !isChoice(scope, value, choices))
    return [{ ...choiceProblem(visit, choices, value), code: unionCode(scope, parts, undefined) }];
  const types = allowedTypes(scope, parts);
  if (types !== undefined && !isOfType(value, types)) {
    const code = unionCode(scope, parts, types);
    return [{ path: visit.path, rule: "type", expected: describeSchema(scope, node), code }];
  }

  const problems = checkOwn(visit, parts, value);
  for (const part of parts) {
    for (const union of readUnions(scope, part)) problems.push(...checkUnion(visit, union, value));
    problems.push(...checkConditions(visit, part, value));
    if (problems.length > FAULT_LIMITS.issues) break;
  }
  return problems;
}

/** The code of a value that fits none of several alternatives. Null beside one other is no alternative, but an empty value. */
export function unionCode(
  scope: Scope,
  parts: readonly Keywords[],
  types: readonly string[] | undefined,
): IssueCode | undefined {
  const unions = parts.flatMap((part) => readUnions(scope, part)).map(({ branches }) => branches);
  const isUnion = unions.some((branches) => branches.filter((branch) => own(branch, "type") !== "null").length > 1);
  return isUnion || (types ?? []).filter((type) => type !== "null").length > 1 ? "invalid_union" : undefined;
}

function endCode(value: number, { least }: Bounds): IssueCode {
  return least !== undefined && value < least ? "too_small" : "too_big";
}

function choiceProblem({ scope, path }: CheckPosition, choices: readonly unknown[], value: unknown): SchemaProblem {
  return { path, rule: "choice", expected: choicesPhrase(choices), suggestion: suggestName(scope, value, choices) };
}

function checkOwn(visit: CheckPosition, parts: readonly Keywords[], value: unknown): SchemaProblem[] {
  if (typeof value === "string") return checkText(visit, parts, value);
  if (typeof value === "number") return checkNumberKeywords(visit, parts, value);
  const list = asArray(value);
  if (list !== undefined) return checkArray(visit, parts, list);
  return isRecord(value) ? checkObject(visit, parts, value) : [];
}

function checkText({ scope, path }: CheckPosition, parts: readonly Keywords[], text: string): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const length = readBounds(parts, "minLength", "maxLength");
  if (!hasLength(scope, text, length)) {
    // A text of so many units is too long; only others are counted.
    const isLong = text.length / 2 > (length.most ?? Number.POSITIVE_INFINITY);
    const code = isLong ? "too_big" : endCode(charactersIn(text), length);
    problems.push({ path, rule: "length", expected: countPhrase(length, "character", "characters"), code });
  }
  const verdicts = readPatterns(parts).map((source) => matchesPattern(scope, source, text));
  const format = readFormat(parts);
  // A pattern that could be tried is more exact than the rough test of the format.
  const isTried = verdicts.some((verdict) => verdict !== undefined);
  const fits = isTried || format === undefined ? !verdicts.includes(false) : fitsFormat(format, text) !== false;
  if (!fits) problems.push({ path, rule: "format", expected: formPhrase(parts) });
  return problems;
}

/** Whether a text keeps to its length; characters are counted only if UTF-16 units leave it open. */
function hasLength(scope: Scope, text: string, bounds: Bounds): boolean {
  const { least = 0, most = Number.POSITIVE_INFINITY } = bounds;
  const units = text.length;
  if (units < least || units / 2 > most) return false;
  if ((units / 2 >= least && units <= most) || !spendSchemaWork(scope, units / 64)) return true;
  return isInBounds(charactersIn(text), bounds);
}

function charactersIn(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

function checkNumberKeywords(
  { scope, path }: CheckPosition,
  parts: readonly Keywords[],
  value: number,
): SchemaProblem[] {
  const range = readNumberRange(parts);
  const problems: SchemaProblem[] = [];
  if (!isInRange(value, range)) {
    const noun = allowedTypes(scope, parts)?.includes("integer") ? "an integer" : "a number";
    const isBelow = value < (range.within.least ?? -Infinity) || value <= (range.between.least ?? -Infinity);
    const code = isBelow ? "too_small" : "too_big";
    problems.push({ path, rule: "range", expected: numberPhrase(range, noun), code });
  }
  for (const step of range.steps) {
    if (isMultiple(value, step)) continue;
    problems.push({ path, rule: "range", expected: `a multiple of ${step}`, code: "not_multiple_of" });
  }
  return problems;
}

function checkArray(visit: CheckPosition, parts: readonly Keywords[], list: readonly unknown[]): SchemaProblem[] {
  const { scope, path } = visit;
  const problems: SchemaProblem[] = [];
  const bounds = readBounds([...parts, ...parts.map(closedLength)], "minItems", "maxItems");
  if (!isInBounds(list.length, bounds)) {
    const count = countPhrase(bounds, "item", "items");
    const expected = count === undefined ? "an array" : `an array of ${count}`;
    problems.push({ path, rule: "length", expected, code: endCode(list.length, bounds) });
  }
  if (parts.some((part) => own(part, "uniqueItems") === true)) problems.push(...checkUnique(visit, list));
  for (const part of parts) problems.push(...checkContains(visit, part, list));
  if (!visit.isDeep) return problems;
  for (const part of parts) {
    const { first, rest } = itemSchemas(part);
    const last = Math.min(list.length, bounds.most ?? Infinity, rest === undefined ? first.length : Infinity);
    for (
      let index = 0;
      index < last && problems.length <= FAULT_LIMITS.issues && spendSchemaWork(scope, KEY_WORK);
      index++
    ) {
      const node = index < first.length ? first[index] : rest;
      problems.push(...checkValue(memberVisit(visit, index), node, own(list, index)));
    }
  }
  return problems;
}

/** A part that allows nothing after its first items has a longest length. */
function closedLength(part: Keywords): Keywords {
  const { first, rest } = itemSchemas(part);
  return isNothing(rest) ? { maxItems: first.length } : {};
}

/** Points to the first item that repeats another; items too large to compare count as different. */
function checkUnique({ scope, path }: CheckPosition, list: readonly unknown[]): SchemaProblem[] {
  const found = new Set<string>();
  for (let index = 0; index < list.length && spendSchemaWork(scope, 4); index++) {
    const identity = valueIdentity(own(list, index));
    if (identity === undefined) scope.skipped += 1;
    if (identity === undefined || !spendSchemaWork(scope, identity.length / 32)) continue;
    if (found.has(identity)) return [{ path: [...path, index], rule: "duplicate", expected: "items that differ" }];
    found.add(identity);
  }
  return [];
}

/** How many items satisfy `contains`; items that could not be checked may count either way. */
function checkContains(visit: CheckPosition, part: Keywords, list: readonly unknown[]): SchemaProblem[] {
  if (!hasOwn(part, "contains")) return [];
  const [node, { least = 1, most }] = [own(part, "contains"), readBounds([part], "minContains", "maxContains")];
  let [surely, perhaps] = [0, 0];
  for (let index = 0; index < list.length; index++) {
    const verdict = isSatisfied(memberVisit(visit, index), node, own(list, index));
    if (verdict === true) surely += 1;
    if (verdict !== false) perhaps += 1;
  }
  if (perhaps >= least && surely <= (most ?? Infinity)) return [];
  const count = countPhrase({ least, ...(most !== undefined && { most }) }, "item", "items") ?? "items";
  const phrase = describeSchema(visit.scope, node);
  const expected = phrase === undefined ? undefined : `an array with ${count} of this kind: ${phrase}`;
  return [{ path: visit.path, rule: "custom", expected }];
}

function checkObject(visit: CheckPosition, parts: readonly Keywords[], value: Keywords): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const part of parts) {
    problems.push(...checkProperties(visit, part, value), ...checkOtherKeys(visit, part, { parts, value }));
    if (problems.length > FAULT_LIMITS.issues) return problems;
  }
  const bounds = readBounds(parts, "minProperties", "maxProperties");
  const size = ownKeys(value).length;
  if (!isInBounds(size, bounds)) {
    const count = countPhrase(bounds, "key", "keys") ?? "other keys";
    const code = endCode(size, bounds);
    problems.push({ path: visit.path, rule: "length", expected: `an object with ${count}`, code });
  }
  return problems;
}

function checkProperties(visit: CheckPosition, part: Keywords, value: Keywords): SchemaProblem[] {
  const { scope, path } = visit;
  const problems: SchemaProblem[] = [];
  const properties = own(part, "properties");
  const required = new Set(ownArray(part, "required"));
  for (const key of ownKeys(properties)) {
    if (!spendSchemaWork(scope, KEY_WORK) || problems.length > FAULT_LIMITS.issues) break;
    const isRequired = required.delete(key);
    const isThere = hasOwn(value, key);
    if (isRequired && !isThere) problems.push({ path: [...path, key], rule: "required" });
    if (isThere && visit.isDeep)
      problems.push(...checkValue(memberVisit(visit, key), own(properties, key), own(value, key)));
  }
  for (const key of required) {
    if (!spendSchemaWork(scope, KEY_WORK) || problems.length > FAULT_LIMITS.issues) break;
    if (typeof key === "string" && !hasOwn(value, key)) problems.push({ path: [...path, key], rule: "required" });
  }
  return problems;
}

const OTHER_KEYS = ["additionalProperties", "patternProperties", "propertyNames"];

function checkOtherKeys(
  visit: CheckPosition,
  part: Keywords,
  { parts, value }: { parts: readonly Keywords[]; value: Keywords },
): SchemaProblem[] {
  const { scope, path } = visit;
  const problems: SchemaProblem[] = [];
  const isOpen = OTHER_KEYS.every((keyword) => (own(part, keyword) ?? true) === true);
  for (const key of isOpen ? [] : ownKeys(value)) {
    if (!spendSchemaWork(scope, KEY_WORK) || problems.length > FAULT_LIMITS.issues) break;
    const schemas = otherSchemas(visit, part, key);
    const isForbidden = schemas.some(isNothing);
    if (isForbidden && problems.length < MAX_UNKNOWN_KEYS)
      problems.push({ path: [...path, key], rule: "unknown", schema: { allOf: parts } });
    if (isForbidden || !visit.isDeep) continue;
    for (const node of schemas) problems.push(...checkValue(memberVisit(visit, key), node, own(value, key)));
  }
  return problems;
}

/** The schemas that a part has for a key besides `properties`; `false` among them forbids the key. */
function otherSchemas(visit: CheckPosition, part: Keywords, key: string): readonly unknown[] {
  const names = own(part, "propertyNames");
  if (names !== undefined && checkValue(memberVisit(visit, key), names, key).length > 0) return [false];
  const { matching, isSure } = keyPatterns(visit.scope, part, key);
  if (hasOwn(own(part, "properties"), key) || matching.length > 0 || !isSure) return matching;
  const others = own(part, "additionalProperties");
  return others === undefined ? [] : [others];
}

function checkUnion(visit: CheckPosition, union: SchemaUnion, value: unknown): readonly SchemaProblem[] {
  const { scope, path } = visit;
  const { fitting, tag } = narrowBranches(scope, union.branches, value);
  const branchVisit = { ...visit, depth: visit.depth + 1 };
  const failures: (readonly SchemaProblem[])[] = [];
  for (const [index, branch] of fitting.entries()) {
    const problems = checkValue(branchVisit, branch, value);
    if (problems.length === 0) return union.isExact ? checkExact(branchVisit, fitting.slice(index), value) : [];
    failures.push(problems);
  }
  if (tag !== undefined) {
    const tagVisit = memberVisit(visit, tag.key);
    const code = "invalid_union";
    if (hasOwn(value, tag.key)) return [{ ...choiceProblem(tagVisit, tag.choices, own(value, tag.key)), code }];
    return [{ path: tagVisit.path, rule: "required", expected: choicesPhrase(tag.choices), code }];
  }
  // The value was most likely meant for the branch that it nearly satisfies.
  const [fewest] = failures.toSorted((a, b) => a.length - b.length);
  const code = "invalid_union";
  if (fewest === undefined)
    return [{ path, rule: "type", expected: describeSchema(scope, { anyOf: union.branches }), code }];
  if (fitting.length === 1 || typeof value === "object") return fewest;
  return [{ path, rule: fewest[0]?.rule ?? "custom", expected: describeSchema(scope, { anyOf: fitting }), code }];
}

/** A value that surely satisfies two branches of `oneOf` is wrong. */
function checkExact(visit: CheckPosition, branches: readonly unknown[], value: unknown): SchemaProblem[] {
  // Only a deep check shows that a branch fits.
  const fits = visit.isDeep ? branches.filter((branch) => isSatisfied(visit, branch, value) === true) : [];
  if (fits.length < 2) return [];
  return [{ path: visit.path, rule: "custom", expected: "a value that fits only one of the alternatives" }];
}

/** Schemas that count only under a condition, or must not fit. */
function checkConditions(visit: CheckPosition, part: Keywords, value: unknown): SchemaProblem[] {
  const inner = { ...visit, depth: visit.depth + 1 };
  const problems: SchemaProblem[] = [];
  if (hasOwn(part, "if")) {
    const isMet = isSatisfied(inner, own(part, "if"), value);
    const node = isMet === undefined ? undefined : own(part, isMet ? "then" : "else");
    if (node !== undefined) problems.push(...checkValue(inner, node, value));
  }
  if (hasOwn(part, "not") && isSatisfied(inner, own(part, "not"), value) === true) {
    const phrase = describeSchema(visit.scope, own(part, "not"));
    const expected = phrase === undefined ? undefined : `anything but ${phrase}`;
    problems.push({ path: visit.path, rule: "custom", expected });
  }
  for (const { key, node } of isRecord(value) ? readDependents(part) : [])
    if (hasOwn(value, key)) problems.push(...checkValue(inner, node, value));
  return problems;
}

/** Whether a value satisfies a schema as a whole; undefined if something could not be checked. */
function isSatisfied(visit: CheckPosition, node: unknown, value: unknown): boolean | undefined {
  const before = visit.scope.skipped;
  if (checkValue({ ...visit, isDeep: true }, node, value).length > 0) return false;
  return visit.scope.skipped === before ? true : undefined;
}

function memberVisit(visit: CheckPosition, key: string | number): CheckPosition {
  return { ...visit, path: [...visit.path, key], depth: visit.depth + 1 };
}
