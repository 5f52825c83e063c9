import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/operations.ts";

/** What a request asks for, by its method and path. */
export type Match =
  | { readonly operation: Operation; readonly values: Readonly<Record<string, string>> }
  | { readonly none: "path" }
  | { readonly none: "method"; readonly allowed: readonly string[] };

/** Where the API begins. */
export const BASE = "/v1";

/** Finds the operation of a request, and the values in its path. */
export function matchOperation(method: string, pathname: string): Match {
  const segments = pathname.split("/");
  const fitting = OPERATIONS.filter(({ path }) => fits(`${BASE}${path}`.split("/"), segments));
  const asked = method === "HEAD" ? "GET" : method;
  const operation = fitting.find((one) => one.method === asked);
  if (operation !== undefined) return { operation, values: valuesIn(`${BASE}${operation.path}`.split("/"), segments) };
  return fitting.length === 0 ? { none: "path" } : { none: "method", allowed: fitting.map((one) => one.method) };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => part.startsWith("{") || part === segments[at])
  );
}

function valuesIn(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> {
  const named = pattern.flatMap((part, at) =>
    part.startsWith("{") ? [[part.slice(1, -1), decoded(segments[at] ?? "")] as const] : [],
  );
  return Object.fromEntries(named);
}

/** What cannot be decoded stays as it is: it fits no schema of an id anyway. */
function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
