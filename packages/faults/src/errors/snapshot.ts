import { peek, peekInteger } from "./peek.ts";

/** How much of a foreign object is copied: levels, members of each object, values in total. */
const MAX_LEVELS = 12;
const MAX_MEMBERS = 100;
const MAX_VALUES = 5_000;

/** A plain copy of the data of a foreign value. It runs no code of the value. Functions and symbols are left out. */
export function snapshot(value: unknown): unknown {
  return copyOf(value, MAX_LEVELS, { left: MAX_VALUES });
}

function copyOf(value: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof value !== "object" || value === null) return isScalar(value) ? value : undefined;
  if (depth === 0) return undefined;
  try {
    if (Array.isArray(value)) {
      const length = Math.min(peekInteger(value, "length") ?? 0, MAX_MEMBERS);
      return Array.from({ length }, (_, index) =>
        countValue(budget, () => copyOf(peek(value, index), depth - 1, budget)),
      );
    }
    const copy: Record<string, unknown> = {};
    for (const key of Reflect.ownKeys(value).slice(0, MAX_MEMBERS)) {
      if (typeof key !== "string" || key === "__proto__") continue;
      const member = countValue(budget, () =>
        copyOf(Reflect.getOwnPropertyDescriptor(value, key)?.value, depth - 1, budget),
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
