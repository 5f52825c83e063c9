import type { Document } from "./document.ts";
import { isJson, stringAt } from "./json.ts";

/** The longest chain of references that is followed. */
const LONGEST = 32;

/** Where a reference leads; `refs` are those that were followed. */
export type Resolved =
  | { readonly ok: true; readonly value: unknown; readonly refs: readonly string[] }
  | { readonly ok: false; readonly why: "external" | "missing" | "loop" };

/** Follows `$ref` within the document. Other files and addresses are never read. */
export function resolve(document: Document, node: unknown): Resolved {
  const refs: string[] = [];
  let value = node;
  for (;;) {
    const ref = stringAt(value, "$ref");
    if (ref === undefined) return { ok: true, value, refs };
    if (!ref.startsWith("#")) return { ok: false, why: "external" };
    if (refs.includes(ref) || refs.length >= LONGEST) return { ok: false, why: "loop" };
    refs.push(ref);
    value = target(document, ref);
    if (value === undefined) return { ok: false, why: "missing" };
  }
}

/** The resolved node when it is there and an object. */
export function resolvedObject(document: Document, node: unknown): Readonly<Record<string, unknown>> | undefined {
  const resolved = resolve(document, node);
  return resolved.ok && isJson(resolved.value) ? resolved.value : undefined;
}

function target(document: Document, ref: string): unknown {
  if (!ref.startsWith("#/")) return undefined;
  let value: unknown = document.root;
  for (const token of ref.slice(2).split("/")) {
    const key = unescaped(token);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

function unescaped(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A stray percent sign is part of the name.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
