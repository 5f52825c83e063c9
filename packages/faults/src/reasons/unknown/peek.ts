/**
 * Reads a data property of a foreign value, its own or inherited, without running anything of the value's own:
 * getters are not called, and a proxy that throws counts as having no such property.
 */
export function peek(value: unknown, key: PropertyKey): unknown {
  try {
    for (let at = value, depth = 0; isObject(at) && depth < 8; at = Reflect.getPrototypeOf(at), depth++) {
      const found = Reflect.getOwnPropertyDescriptor(at, key);
      if (found !== undefined) return found.value;
    }
  } catch {
    // A revoked or hostile proxy: nothing can be known about it.
  }
  return undefined;
}

/** The property when it is a string. */
export function peekString(value: unknown, key: PropertyKey): string | undefined {
  const found = peek(value, key);
  return typeof found === "string" ? found : undefined;
}

/** The property when it is a whole number. */
export function peekInteger(value: unknown, key: PropertyKey): number | undefined {
  const found = peek(value, key);
  return Number.isSafeInteger(found) ? (found as number) : undefined;
}

/** The name of the value's class. */
export function classNameOf(value: unknown): string | undefined {
  return peekString(peek(value, "constructor"), "name");
}

/** The elements of a foreign array, at most `most`; nothing for anything else. */
export function peekList(value: unknown, key: PropertyKey, most: number): unknown[] {
  const list = peek(value, key);
  const length = peekInteger(list, "length") ?? 0;
  return Array.from({ length: Math.max(0, Math.min(length, most)) }, (_, index) => peek(list, index));
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
