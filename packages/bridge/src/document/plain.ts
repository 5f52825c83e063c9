import { type Loaded, problem } from "./document.ts";

/** Schemas of real documents stay below 40 levels. */
const DEEPEST = 100;
/** About what 16 MB of JSON hold; aliases and shared objects count each time. */
const MOST_NODES = 2_000_000;

/**
 * A copy as plain JSON data. What JSON cannot hold is left out, and so is `__proto__`, which no API has and which would
 * be dangerous in every copy that is made later.
 */
export function toPlain(value: unknown): Loaded<unknown> {
  let nodes = 0;
  let tooDeep = false;

  function copy(from: unknown, depth: number): unknown {
    nodes += 1;
    if (depth > DEEPEST) tooDeep = true;
    if (tooDeep || nodes > MOST_NODES) return undefined;
    if (from === null || typeof from === "string" || typeof from === "boolean") return from;
    if (typeof from === "number") return Number.isFinite(from) ? from : undefined;
    if (Array.isArray(from)) return from.map((one) => copy(one, depth + 1) ?? null);
    if (typeof from !== "object" || !isPlain(from)) return undefined;
    const to: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(from)) {
      const copied = key === "__proto__" ? undefined : copy(one, depth + 1);
      if (copied !== undefined) to[key] = copied;
    }
    return to;
  }

  const copied = copy(value, 0);
  if (tooDeep) return problem("too_deep");
  return nodes > MOST_NODES ? problem("too_large") : { ok: true, value: copied };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
