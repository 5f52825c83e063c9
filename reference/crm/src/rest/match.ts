import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/operations.ts";

/** The operation of a request, or why none matches. */
export type Match =
  | { readonly operation: Operation; readonly values: Readonly<Record<string, string>> }
  | { readonly none: "path" }
  | { readonly none: "method"; readonly allowed: readonly string[] };

/** The path that the API starts with. */
export const BASE_PATH = "/v1";

/** Finds the operation of a request and the values in its path. */
export function matchOperation(method: string, pathname: string): Match {
  const segments = pathname.split("/");
  const fitting = OPERATIONS.filter(({ path }) => matchesPath(`${BASE_PATH}${path}`.split("/"), segments));
  const asked = method === "HEAD" ? "GET" : method;
  const operation = fitting.find((one) => one.method === asked);
  if (operation !== undefined)
    return { operation, values: pathValues(`${BASE_PATH}${operation.path}`.split("/"), segments) };
  return fitting.length === 0 ? { none: "path" } : { none: "method", allowed: fitting.map((one) => one.method) };
}

function matchesPath(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => part.startsWith("{") || part === segments[at])
  );
}

function pathValues(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> {
  const named = pattern.flatMap((part, at) =>
    part.startsWith("{") ? [[part.slice(1, -1), decodeSegment(segments[at] ?? "")] as const] : [],
  );
  return Object.fromEntries(named);
}

/** An invalid escape stays unchanged: no schema of an id accepts it. */
function decodeSegment(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
