import { hasOwn, isRecord, own, ownArray, ownKeys, ownString } from "../errors/peek.ts";
import { allowedChoices, allowedTypes, isChoice, isOfType, itemSchemas, valueIdentity } from "./keywords.ts";
import { matchesPattern } from "./pattern-cost.ts";
import { type Keywords, readDependents, readUnions, type Scope, schemaParts, spendSchemaWork } from "./scope.ts";

/** Unions and conditions in each other that are followed to a key. */
const MAX_NESTED_BRANCHES = 8;
const MAX_TAG_KEYS = 32;

export interface MemberSchema {
  readonly node: unknown;
  /** Whether the schema names it. A key that the schema only allows was made up by the caller. */
  readonly isNamed: boolean;
}

/** The schema of a key or an index of a value; undefined if the value has no such schema. */
export function findMember(
  scope: Scope,
  node: unknown,
  value: unknown,
  key: string | number,
  depth = 0,
): MemberSchema | undefined {
  if (depth > MAX_NESTED_BRANCHES) return undefined;
  const found: MemberSchema[] = [];
  for (const part of schemaParts(scope, node)) {
    const inPart = typeof key === "number" ? findItem(part, key) : propertyOf(scope, part, key);
    if (inPart !== undefined) found.push(inPart);
    for (const branches of applicableBranches(scope, part, value)) {
      const each = branches.map((branch) => findMember(scope, branch, value, key, depth + 1));
      found.push(...merge(each, "anyOf"));
    }
  }
  return merge(found, "allOf")[0];
}

export function knownKeys(scope: Scope, node: unknown, value: unknown, depth = 0): readonly string[] {
  const known = new Set<unknown>();
  for (const part of depth > MAX_NESTED_BRANCHES ? [] : schemaParts(scope, node)) {
    const keys = [
      ...ownKeys(own(part, "properties")),
      ...ownArray(part, "required"),
      ...ownArray(own(part, "propertyNames"), "enum"),
    ];
    spendSchemaWork(scope, keys.length);
    for (const key of keys) known.add(key);
    for (const branch of applicableBranches(scope, part, value).flat())
      for (const key of knownKeys(scope, branch, value, depth + 1)) known.add(key);
  }
  return [...known].filter((key) => typeof key === "string");
}

/** Groups of schemas that may apply to a value besides a part itself: branches that it can be meant for, conditions. */
function applicableBranches(scope: Scope, part: Keywords, value: unknown): readonly (readonly unknown[])[] {
  return [
    ...readUnions(scope, part).map(({ branches }) => narrowBranches(scope, branches, value).fitting),
    ["then", "else"].map((keyword) => own(part, keyword)).filter(isRecord),
    readDependents(part)
      .filter(({ key }) => hasOwn(value, key))
      .map(({ node }) => node),
  ];
}

/** Several schemas of one key as one; if some name the key, those that only allow it say nothing. */
function merge(members: readonly (MemberSchema | undefined)[], keyword: "allOf" | "anyOf"): readonly MemberSchema[] {
  const found = members.filter((member) => member !== undefined);
  const named = found.filter((member) => member.isNamed);
  const counted = differing(named.length > 0 ? named : found);
  if (counted.length < 2) return counted;
  return [{ node: { [keyword]: counted.map((member) => member.node) }, isNamed: named.length > 0 }];
}

/** Each schema once: branches that differ elsewhere mostly have the same one for a key. */
function differing(members: readonly MemberSchema[]): readonly MemberSchema[] {
  const isReference = (node: unknown) => ownKeys(node).length === 1 && ownString(node, "$ref") !== undefined;
  const identity = ({ node }: MemberSchema) => (isReference(node) ? ownString(node, "$ref") : node);
  return members.length < 2 ? members : [...Map.groupBy(members, identity).values()].flatMap(([first]) => first ?? []);
}

function findItem(part: Keywords, index: number): MemberSchema | undefined {
  const { first, rest } = itemSchemas(part);
  const node = index < first.length ? first[index] : rest;
  return node === undefined ? undefined : { node, isNamed: true };
}

function propertyOf(scope: Scope, part: Keywords, key: string): MemberSchema | undefined {
  const properties = own(part, "properties");
  if (hasOwn(properties, key)) return { node: own(properties, key), isNamed: true };
  const names = own(part, "propertyNames");
  const others = own(part, "additionalProperties");
  if (namesKey(scope, part, key)) return { node: others ?? true, isNamed: true };
  const pattern = ownString(names, "pattern");
  // A list of names that holds the key would have named it.
  if (hasOwn(names, "enum") || (pattern !== undefined && matchesPattern(scope, pattern, key) === false))
    return undefined;
  const [matching] = keyPatterns(scope, part, key).matching;
  if (matching !== undefined) return { node: matching, isNamed: false };
  return others === undefined || others === false ? undefined : { node: others, isNamed: false };
}

function namesKey(scope: Scope, part: Keywords, key: string): boolean {
  const names = [...ownArray(part, "required"), ...ownArray(own(part, "propertyNames"), "enum")];
  return spendSchemaWork(scope, names.length / 16) && names.includes(key);
}

/** The schemas of the patterns that a key matches, and whether all patterns could be tried. */
export function keyPatterns(scope: Scope, part: Keywords, key: string) {
  const patterns = own(part, "patternProperties");
  const verdicts = ownKeys(patterns).map((source) => ({ source, matches: matchesPattern(scope, source, key) }));
  return {
    matching: verdicts.filter(({ matches }) => matches === true).map(({ source }) => own(patterns, source)),
    isSure: verdicts.every(({ matches }) => matches !== undefined),
  };
}

interface NarrowedBranches {
  readonly fitting: readonly unknown[];
  /** The key whose value selects the branch, if the value of the arguments selects none. */
  readonly tag?: { readonly key: string; readonly choices: readonly unknown[] };
}

export function narrowBranches(scope: Scope, branches: readonly unknown[], value: unknown): NarrowedBranches {
  const fitting = branches.filter((branch) => {
    const parts = schemaParts(scope, branch);
    const types = allowedTypes(scope, parts);
    if (types !== undefined) return isOfType(value, types);
    const choices = allowedChoices(scope, parts);
    return choices === undefined || typeof value === "object" || isChoice(scope, value, choices);
  });
  if (fitting.length < 2 || !isRecord(value)) return { fitting };
  const tag = tagOf(scope, fitting);
  if (tag === undefined) return { fitting };
  const meant = fitting.filter((_, index) => isChoice(scope, own(value, tag.key), tag.choices[index] ?? []));
  return hasOwn(value, tag.key) && meant.length > 0
    ? { fitting: meant }
    : { fitting, tag: { key: tag.key, choices: tag.choices.flat() } };
}

function tagOf(scope: Scope, branches: readonly unknown[]) {
  const all = branches.map((branch) => schemaParts(scope, branch));
  const keys = all[0]?.flatMap((part) => ownKeys(own(part, "properties"))) ?? [];
  for (const key of keys.slice(0, MAX_TAG_KEYS)) {
    if (!spendSchemaWork(scope, branches.length)) return undefined;
    const choices = all.map((parts) => {
      const holder = parts.find((part) => hasOwn(own(part, "properties"), key));
      return allowedChoices(scope, schemaParts(scope, own(own(holder, "properties"), key))) ?? [];
    });
    const identities = choices.flat().map((choice) => valueIdentity(choice));
    if (choices.every((some) => some.length > 0) && new Set(identities).size === identities.length)
      return { key, choices };
  }
  return undefined;
}
