// Reading data of any shape: getters never run, inherited members are nobody's data, and nothing here throws.

/** An object of any shape, an array not among them. */
export type Members = Readonly<Record<string, unknown>>;

/** Tells an object from everything else; what cannot be looked at, as a revoked proxy, is an empty one. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && listOf(value) === undefined;
}

/** The value when it is an array. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether an object has a member of its own. */
export function has(from: unknown, key: string | number): boolean {
  return dataOf(from, key) !== undefined;
}

/** An own data member of an object or an array. */
export function at(from: unknown, key: string | number): unknown {
  return dataOf(from, key)?.value;
}

function dataOf(from: unknown, key: string | number): PropertyDescriptor | undefined {
  if (typeof from !== "object" || from === null) return undefined;
  try {
    const found = Object.getOwnPropertyDescriptor(from, key);
    return found !== undefined && Object.hasOwn(found, "value") && found.value !== undefined ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The member when it is a string. */
export function stringAt(from: unknown, key: string): string | undefined {
  const value = at(from, key);
  return typeof value === "string" ? value : undefined;
}

/** The member when it is a finite number. */
export function numberAt(from: unknown, key: string): number | undefined {
  const value = at(from, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The member when it is an array, else an empty one. */
export function listAt(from: unknown, key: string): readonly unknown[] {
  return listOf(at(from, key)) ?? [];
}

/** The names of an object's own members, in their order. */
export function keysOf(value: unknown): readonly string[] {
  try {
    return isObject(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
