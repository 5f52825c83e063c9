// Reading foreign values, such as thrown errors, schemas and arguments, without running their code and without throwing.

const MAX_PROTOTYPES = 8;

/**
 * Reads a data property of a foreign value, its own or an inherited one. It calls no getter. If a proxy throws, the
 * property counts as missing.
 */
export function peek(value: unknown, key: PropertyKey): unknown {
  try {
    for (
      let at = value, depth = 0;
      isObjectLike(at) && depth < MAX_PROTOTYPES;
      at = Reflect.getPrototypeOf(at), depth++
    ) {
      const found = Reflect.getOwnPropertyDescriptor(at, key);
      if (found !== undefined) return found.value;
    }
  } catch {
    // A revoked or hostile proxy.
  }
  return undefined;
}

export function peekString(value: unknown, key: PropertyKey): string | undefined {
  const found = peek(value, key);
  return typeof found === "string" ? found : undefined;
}

export function peekInteger(value: unknown, key: PropertyKey): number | undefined {
  const found = peek(value, key);
  return Number.isSafeInteger(found) ? (found as number) : undefined;
}

/** Whether a foreign value is an instance of a class. A proxy that throws is not. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

export function readClassName(value: unknown): string | undefined {
  return peekString(peek(value, "constructor"), "name");
}

export function readClassNames(value: unknown): readonly string[] {
  const names: string[] = [];
  try {
    for (let at = value; isObjectLike(at) && names.length < MAX_PROTOTYPES; at = Reflect.getPrototypeOf(at)) {
      names.push(peekString(own(at, "constructor"), "name") ?? "");
    }
  } catch {
    // A revoked or hostile proxy.
  }
  return names.filter((name) => name !== "");
}

/** The first elements of a foreign array, at most `max`. Empty if the property is not an array. */
export function peekList(value: unknown, key: PropertyKey, max: number): unknown[] {
  const list = peek(value, key);
  const length = peekInteger(list, "length") ?? 0;
  return Array.from({ length: Math.max(0, Math.min(length, max)) }, (_, index) => peek(list, index));
}

/** Whether a value is an object and not an array; a revoked proxy counts as an empty object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && asArray(value) === undefined;
}

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

/** A data member that a foreign value has of its own. It calls no getter. */
export function own(from: unknown, key: PropertyKey): unknown {
  try {
    return isObjectLike(from) ? Reflect.getOwnPropertyDescriptor(from, key)?.value : undefined;
  } catch {
    return undefined;
  }
}

export function ownString(from: unknown, key: string): string | undefined {
  const value = own(from, key);
  return typeof value === "string" ? value : undefined;
}

export function ownNumber(from: unknown, key: string): number | undefined {
  const value = own(from, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

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

function isObjectLike(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** How much of a foreign object is copied: levels, members of each object, values in total. */
const MAX_SNAPSHOT_LEVELS = 12;
const MAX_SNAPSHOT_MEMBERS = 100;
const MAX_SNAPSHOT_VALUES = 5_000;

/** A plain copy of the data of a foreign value. It runs no code of the value. Functions and symbols are left out. */
export function snapshot(value: unknown): unknown {
  return copyData(value, MAX_SNAPSHOT_LEVELS, { left: MAX_SNAPSHOT_VALUES });
}

function copyData(value: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof value !== "object" || value === null) return isScalar(value) ? value : undefined;
  if (depth === 0) return undefined;
  try {
    if (Array.isArray(value)) {
      const length = Math.min(peekInteger(value, "length") ?? 0, MAX_SNAPSHOT_MEMBERS);
      return Array.from({ length }, (_, index) =>
        countValue(budget, () => copyData(peek(value, index), depth - 1, budget)),
      );
    }
    const copy: Record<string, unknown> = {};
    for (const key of Reflect.ownKeys(value).slice(0, MAX_SNAPSHOT_MEMBERS)) {
      if (typeof key !== "string" || key === "__proto__") continue;
      const member = countValue(budget, () =>
        copyData(Reflect.getOwnPropertyDescriptor(value, key)?.value, depth - 1, budget),
      );
      if (member !== undefined) copy[key] = member;
    }
    return copy;
  } catch {
    return undefined;
  }
}

/** Counts one value. An object that refers to itself many times would otherwise be copied without end. */
function countValue(budget: { left: number }, copy: () => unknown): unknown {
  return budget.left-- > 0 ? copy() : undefined;
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
