import { at, isObject, listAt, listOf, stringAt } from "./read.ts";

/** Keys and indexes that lead to an argument. */
export type Path = readonly (string | number)[];

const MOST_PATHS = 100;
const MOST_KEYS = 64;

/** Members in which validators name a key that is missing or too many, below the place that they report. */
const KEY_MEMBERS = ["missingProperty", "additionalProperty", "unevaluatedProperty", "propertyName"];

/**
 * The paths at which a validator says that arguments fail: Standard Schema, Zod 3 and 4, Ajv and others alike.
 * Takes a list of issues or what holds one; a path that cannot be read ends where it stops making sense.
 */
export function pathsOf(issues: unknown): Path[] {
  const list = listOf(issues) ?? listOf(at(issues, "issues")) ?? listAt(issues, "errors");
  const paths: Path[] = [];
  for (const issue of head(list, MOST_PATHS)) if (isObject(issue)) paths.push(...pathsIn(issue));
  return paths.slice(0, MOST_PATHS);
}

function pathsIn(issue: unknown): readonly Path[] {
  const path =
    ofSegments(at(issue, "path")) ?? ofPointer(stringAt(issue, "instancePath") ?? stringAt(issue, "instanceLocation"));
  const params = at(issue, "params");
  const named = KEY_MEMBERS.map((member) => stringAt(params, member));
  // Zod names all keys that are too many in one issue of their parent.
  const extra = stringAt(issue, "code") === "unrecognized_keys" ? head(listAt(issue, "keys"), MOST_KEYS) : [];
  const keys = [...named, ...extra].filter((key) => typeof key === "string");
  return keys.length === 0 ? [path] : keys.map((key) => [...path, key]);
}

/** Keys, or objects that hold one, as Standard Schema allows both. */
function ofSegments(value: unknown): Path | undefined {
  const list = listOf(value);
  if (list === undefined) return undefined;
  const path: (string | number)[] = [];
  for (const segment of head(list, MOST_KEYS)) {
    const key = isObject(segment) ? at(segment, "key") : segment;
    if (typeof key !== "string" && typeof key !== "number") break;
    path.push(key);
  }
  return path;
}

/** A JSON Pointer, or its form as a fragment. */
function ofPointer(pointer: string | undefined): Path {
  if (pointer === undefined || pointer.length > 4_096) return [];
  const isFragment = pointer.startsWith("#");
  const tokens = pointer
    .slice(isFragment ? 1 : 0)
    .split("/")
    .slice(1, MOST_KEYS + 1);
  return tokens.map((token) => (isFragment ? decoded(token) : token).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** The first members of a list, read without running anything. */
function head(list: readonly unknown[], most: number): readonly unknown[] {
  const length = at(list, "length");
  const count = typeof length === "number" ? Math.min(length, most) : 0;
  return Array.from({ length: count }, (_, index) => at(list, index));
}
