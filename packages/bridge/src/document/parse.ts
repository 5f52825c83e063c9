import { isMap, isScalar, parseDocument, visit } from "yaml";
import { documentProblem, type Loaded } from "./document.ts";

/** How often one anchor may be used: enough for people, too few for a document that multiplies itself. */
const MAX_ALIASES = 100;

/** Parses a JSON or YAML text. */
export function parseText(text: string): Loaded<unknown> {
  if (text.trimStart().startsWith("{")) {
    try {
      return { ok: true, value: JSON.parse(text) };
    } catch {
      // YAML may start with a brace too.
    }
  }
  try {
    return parseYaml(text);
  } catch (error) {
    // Nesting that exhausts the stack throws a RangeError; the parser reports every other error itself.
    return documentProblem(error instanceof RangeError ? "too_deep" : "malformed");
  }
}

function parseYaml(text: string): Loaded<unknown> {
  const document = parseDocument(text, {
    schema: "core",
    customTags: [],
    resolveKnownTags: false,
    stringKeys: true,
    // The parser's own check compares every key with every other one; the check below is linear.
    uniqueKeys: false,
    logLevel: "error",
    prettyErrors: false,
  });
  if ([...document.errors, ...document.warnings].some((one) => one.code === "TAG_RESOLVE_FAILED"))
    return documentProblem("custom_tag");
  if (document.errors.length > 0) return documentProblem("malformed");
  let isAmbiguous = false;
  visit(document, {
    Map(_, map) {
      const keys = new Set(map.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : pair.key)));
      isAmbiguous ||= isMap(map) && keys.size < map.items.length;
    },
  });
  if (isAmbiguous) return documentProblem("ambiguous");
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    return documentProblem(error instanceof ReferenceError ? "aliases" : "malformed");
  }
}

/** Schemas of real documents stay below 40 levels. */
const MAX_DOCUMENT_DEPTH = 100;
/** About as many values as 16 MB of JSON hold. Aliases and shared objects count each time they are used. */
const MAX_NODES = 2_000_000;

/**
 * Copies a value as plain JSON data. Values that JSON does not have are left out, and so is `__proto__`: no API uses it, and
 * it would be dangerous in every later copy.
 */
export function toPlainData(value: unknown): Loaded<unknown> {
  let nodes = 0;
  let isTooDeep = false;

  function copy(from: unknown, depth: number): unknown {
    nodes += 1;
    if (depth > MAX_DOCUMENT_DEPTH) isTooDeep = true;
    if (isTooDeep || nodes > MAX_NODES) return undefined;
    if (from === null || typeof from === "string" || typeof from === "boolean") return from;
    if (typeof from === "number") return Number.isFinite(from) ? from : undefined;
    if (Array.isArray(from)) return from.map((one) => copy(one, depth + 1) ?? null);
    if (typeof from !== "object" || !isPlainObject(from)) return undefined;
    const to: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(from)) {
      const copied = key === "__proto__" ? undefined : copy(one, depth + 1);
      if (copied !== undefined) to[key] = copied;
    }
    return to;
  }

  const copied = copy(value, 0);
  if (isTooDeep) return documentProblem("too_deep");
  return nodes > MAX_NODES ? documentProblem("too_large") : { ok: true, value: copied };
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
