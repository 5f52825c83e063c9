// Reading JSON of any shape, writing it in one order, and pointing into it.
// Every function that reads takes any value and never throws.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member if it is an object. */
export function objectAt(from: unknown, key: string): JsonObject | undefined {
  const value = memberAt(from, key);
  return isObject(value) ? value : undefined;
}

/** The member if it is a string. */
export function stringAt(from: unknown, key: string): string | undefined {
  const value = memberAt(from, key);
  return typeof value === "string" ? value : undefined;
}

/** The member if it is a finite number. */
export function numberAt(from: unknown, key: string): number | undefined {
  const value = memberAt(from, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The member if it is a whole number. */
export function integerAt(from: unknown, key: string): number | undefined {
  const value = memberAt(from, key);
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** The member if it is a boolean. */
export function booleanAt(from: unknown, key: string): boolean | undefined {
  const value = memberAt(from, key);
  return typeof value === "boolean" ? value : undefined;
}

/** The member if it is an array, or else an empty array. */
export function arrayAt(from: unknown, key: string): readonly unknown[] {
  const value = memberAt(from, key);
  return Array.isArray(value) ? value : [];
}

/** The members of an object. Empty for any other value. */
export function entriesOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** An own member of an object. Inherited members do not count. */
export function memberAt(from: unknown, key: string): unknown {
  return isObject(from) && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** The JSON in a text. Undefined if it is not JSON or longer than the limit. */
export function parseJson(text: unknown, limit = 262_144): unknown {
  if (typeof text !== "string" || text.length > limit) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same text for the same JSON value, in whatever order its members were written. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isObject(member) ? sortMembers(member) : member));
}

/** The same for a value whose text is not much longer than `max` characters; undefined for any other, and for what is not JSON. */
export function canonicalWithin(value: unknown, max: number): string | undefined {
  let left = max;
  try {
    return JSON.stringify(value, (key, member: unknown) => {
      left -= key.length + (typeof member === "string" ? member.length : 1);
      if (left < (isObject(member) ? Object.keys(member).length : 0)) throw new RangeError("too large");
      return isObject(member) ? sortMembers(member) : member;
    });
  } catch {
    return undefined;
  }
}

function sortMembers(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).sort(byName));
}

/** By code units, so that no locale changes the order. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

export function toPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The keys in a JSON Pointer. Indexes are returned as text. */
export function fromPointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

/** The key that one token of a JSON Pointer stands for. */
export function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
