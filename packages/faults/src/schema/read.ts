// Schemas and arguments may have any shape. Reading them runs no getter, ignores inherited members and never throws.

/** The keywords of a schema, or the members of any other object. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Whether a value is an object and not an array; a revoked proxy counts as an empty object. */
export function isRecord(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && asArray(value) === undefined;
}

/** The value when it is an array. */
export function asArray(value: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an object or array has a data member of its own that is not `undefined`. */
export function hasOwn(from: unknown, key: string | number): boolean {
  return own(from, key) !== undefined;
}

/** A data member that an object or array has of its own. */
export function own(from: unknown, key: string | number): unknown {
  if (typeof from !== "object" || from === null) return undefined;
  try {
    return Object.getOwnPropertyDescriptor(from, key)?.value;
  } catch {
    return undefined;
  }
}

/** The member when it is a string. */
export function ownString(from: unknown, key: string): string | undefined {
  const value = own(from, key);
  return typeof value === "string" ? value : undefined;
}

/** The member when it is a finite number. */
export function ownNumber(from: unknown, key: string): number | undefined {
  const value = own(from, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The member when it is an array, else an empty one. */
export function ownArray(from: unknown, key: string): readonly unknown[] {
  return asArray(own(from, key)) ?? [];
}

/** The names of an object's own members, in their order. */
export function ownKeys(value: unknown): readonly string[] {
  try {
    return isRecord(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
