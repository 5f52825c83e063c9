import { isObject, type JsonObject, stringAt, unescapeToken } from "@recourse/wire";
import type { Document } from "./document.ts";

/** The longest chain of references that is followed. */
const MAX_REF_CHAIN = 32;

/** Where a reference leads; `refs` are the references that were followed. */
export type ResolvedRef =
  | { readonly ok: true; readonly value: unknown; readonly refs: readonly string[] }
  | { readonly ok: false; readonly code: "external" | "missing" | "loop" };

/** Follows `$ref` within the document. It never reads other files or addresses. */
export function resolveRef(document: Document, node: unknown): ResolvedRef {
  const refs: string[] = [];
  let value = node;
  for (;;) {
    const ref = stringAt(value, "$ref");
    if (ref === undefined) return { ok: true, value, refs };
    if (!ref.startsWith("#")) return { ok: false, code: "external" };
    if (refs.includes(ref) || refs.length >= MAX_REF_CHAIN) return { ok: false, code: "loop" };
    refs.push(ref);
    value = followPointer(document, ref);
    if (value === undefined) return { ok: false, code: "missing" };
  }
}

/** The resolved node, if it is an object. */
export function resolvedObject(document: Document, node: unknown): JsonObject | undefined {
  const resolved = resolveRef(document, node);
  return resolved.ok && isObject(resolved.value) ? resolved.value : undefined;
}

function followPointer(document: Document, ref: string): unknown {
  if (!ref.startsWith("#/")) return undefined;
  let value: unknown = document.root;
  for (const token of ref.slice(2).split("/")) {
    const key = decodeToken(token);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function decodeToken(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A stray percent sign is part of the name.
  }
  return unescapeToken(text);
}
