// Reading JSON of any shape: every function takes anything and never throws.

/** A JSON object of any shape. */
export type Json = Readonly<Record<string, unknown>>;

/** Tells a JSON object from everything else. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member of an object; inherited ones are nobody's data. */
export function memberAt(from: unknown, key: string): unknown {
  return isJson(from) && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** The member when it is an object. */
export function objectAt(from: unknown, key: string): Json | undefined {
  const value = memberAt(from, key);
  return isJson(value) ? value : undefined;
}

/** The member when it is a string. */
export function stringAt(from: unknown, key: string): string | undefined {
  const value = memberAt(from, key);
  return typeof value === "string" ? value : undefined;
}

/** The member when it is a boolean. */
export function booleanAt(from: unknown, key: string): boolean | undefined {
  const value = memberAt(from, key);
  return typeof value === "boolean" ? value : undefined;
}

/** The member when it is an array, else an empty one. */
export function arrayAt(from: unknown, key: string): readonly unknown[] {
  const value = memberAt(from, key);
  return Array.isArray(value) ? value : [];
}

/** The members of an object, none for everything else. */
export function entriesOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  return isJson(value) ? Object.entries(value) : [];
}
