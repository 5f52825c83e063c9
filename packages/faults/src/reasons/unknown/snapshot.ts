import { peek, peekInteger } from "./peek.ts";

/** How much of a foreign object is copied: levels, members of each, values in all. */
const DEPTH = 12;
const MEMBERS = 100;
const VALUES = 5_000;

/** A plain copy of a foreign value's data, without running anything of its own; functions and symbols are left out. */
export function snapshot(value: unknown): unknown {
  return copyOf(value, DEPTH, { left: VALUES });
}

function copyOf(value: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof value !== "object" || value === null) return isScalar(value) ? value : undefined;
  if (depth === 0) return undefined;
  try {
    if (Array.isArray(value)) {
      const length = Math.min(peekInteger(value, "length") ?? 0, MEMBERS);
      return Array.from({ length }, (_, index) => spend(budget, () => copyOf(peek(value, index), depth - 1, budget)));
    }
    const copy: Record<string, unknown> = {};
    for (const key of Reflect.ownKeys(value).slice(0, MEMBERS)) {
      if (typeof key !== "string" || key === "__proto__") continue;
      const member = spend(budget, () =>
        copyOf(Reflect.getOwnPropertyDescriptor(value, key)?.value, depth - 1, budget),
      );
      if (member !== undefined) copy[key] = member;
    }
    return copy;
  } catch {
    return undefined;
  }
}

/** Counts one value; a value that refers to itself many times would otherwise have more copies than could be made. */
function spend(budget: { left: number }, copy: () => unknown): unknown {
  return budget.left-- > 0 ? copy() : undefined;
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
