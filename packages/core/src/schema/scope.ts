import { asArray, isRecord, own, ownArray, ownKeys, ownString } from "../errors/peek.ts";
import { fromPointer } from "../wire/json.ts";

/** The keywords of a schema, or the members of any other object. */
export type Keywords = Readonly<Record<string, unknown>>;

/** A JSON Schema: an object of keywords, or `true` for anything and `false` for nothing. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** Schemas and arguments deeper than this are not followed. Each union on the way counts as a level. */
export const MAX_CHECK_DEPTH = 128;
/** Visits of a schema, a key or an item in one check: enough for any call that a model writes. */
const MAX_WORK = 100_000;
const MAX_ALL_OF_PARTS = 64;
/** A union of more branches is taken to allow anything: half of it would refuse too much. */
const MAX_BRANCHES = 512;
const MAX_REFERENCE_LENGTH = 512;

/** Keywords that are not checked. */
const UNCHECKED = new Set(["$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"]);

const NEVER_SATISFIED: Keywords = { not: {} };

/** One check: the schema that references point into, and how much work is left. Either side may be hostile. */
export interface Scope {
  readonly root: unknown;
  left: number;
  /** How often something was skipped: a value without problems is only surely valid if this did not change. */
  skipped: number;
  /** Something was deeper than the check goes. */
  isTooDeep: boolean;
  /** What was found out before, by what it was asked about: schemas that refer to themselves ask the same again and again. */
  readonly known: Map<Question, Map<unknown, KnownAnswers>>;
}

type Question = "parts" | "types" | "choices";

interface KnownAnswers {
  readonly answer: unknown;
  /** How much was skipped for the answer. */
  readonly skips: number;
}

export function startScope(root: unknown, work = MAX_WORK): Scope {
  return { root, left: work, skipped: 0, isTooDeep: false, known: new Map() };
}

export function hasGivenUp({ left, isTooDeep }: Scope): boolean {
  return left <= 0 || isTooDeep;
}

/** The answer to a question about an object of the schema, found out once. */
export function answerOnce<T>(scope: Scope, question: Question, about: object, find: () => T): T {
  const answers = scope.known.get(question) ?? new Map<unknown, KnownAnswers>();
  scope.known.set(question, answers);
  const known = answers.get(about);
  if (known !== undefined) {
    scope.skipped += known.skips;
    return known.answer as T;
  }
  const before = scope.skipped;
  const answer = find();
  answers.set(about, { answer, skips: scope.skipped - before });
  return answer;
}

/** Takes from the work that is left; false once it is used up. */
export function spendSchemaWork(scope: Scope, cost: number): boolean {
  scope.left -= cost;
  if (scope.left <= 0) scope.skipped += 1;
  return scope.left > 0;
}

/** The schema of a place, what it refers to, and its `allOf`; each object once, so that loops of references end. */
export function schemaParts(scope: Scope, node: unknown): readonly Keywords[] {
  return isRecord(node)
    ? answerOnce(scope, "parts", node, () => readSubschemas(scope, node))
    : readSubschemas(scope, node);
}

function readSubschemas(scope: Scope, node: unknown): readonly Keywords[] {
  const parts = new Set<Keywords>();
  const queue: unknown[] = [node];
  for (let next = 0; next < queue.length; next++) {
    const part = queue[next] === false ? NEVER_SATISFIED : queue[next];
    if (!isRecord(part) || parts.has(part)) continue;
    if (parts.size >= MAX_ALL_OF_PARTS) scope.skipped += 1;
    if (parts.size >= MAX_ALL_OF_PARTS || !spendSchemaWork(scope, 1)) break;
    parts.add(part);
    if (ownKeys(part).some((keyword) => UNCHECKED.has(keyword))) scope.skipped += 1;
    const reference = ownString(part, "$ref");
    if (reference !== undefined) queue.push(resolveReference(scope, reference));
    queue.push(...ownArray(part, "allOf").slice(0, MAX_ALL_OF_PARTS + 1));
  }
  return [...parts];
}

/** What a pointer within the schema leads to; other references, such as to a file, allow anything. */
function resolveReference(scope: Scope, reference: string): unknown {
  let target: unknown =
    /^#(?:\/|$)/.test(reference) && reference.length <= MAX_REFERENCE_LENGTH ? scope.root : undefined;
  for (const key of fromPointer(decodeUri(reference))) target = own(target, key);
  if (target === undefined) scope.skipped += 1;
  return target;
}

/** Text with its percent escapes decoded; returned unchanged if they are malformed. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Schemas of which a value must satisfy one. */
export interface SchemaUnion {
  readonly branches: readonly unknown[];
  /** Whether it must satisfy only one. */
  readonly isExact: boolean;
}

export function readUnions(scope: Scope, part: Keywords): readonly SchemaUnion[] {
  const unions = ["anyOf", "oneOf"].map((keyword) => ({
    branches: ownArray(part, keyword),
    isExact: keyword === "oneOf",
  }));
  const found = unions.filter(({ branches }) => branches.length > 0);
  const small = found.filter(({ branches }) => branches.length <= MAX_BRANCHES);
  scope.skipped += found.length - small.length;
  return small;
}

export function readDependents(part: Keywords): readonly { readonly key: string; readonly node: unknown }[] {
  return ["dependentRequired", "dependentSchemas", "dependencies"].flatMap((keyword) => {
    const dependents = own(part, keyword);
    return ownKeys(dependents).map((key) => {
      const node = own(dependents, key);
      return { key, node: asArray(node) === undefined ? node : { required: node } };
    });
  });
}

export function isNothing(node: unknown): boolean {
  const not = own(node, "not");
  return node === false || not === true || (isRecord(not) && ownKeys(not).length === 0);
}
