import type { PathPart } from "../operations/operation.ts";
import { isDotSegment } from "../operations/path-template.ts";

/** Why an address cannot be the base of an API. */
export type ServerProblem = "not_absolute" | "scheme" | "credentials" | "query";

/** Parses the base address of an API: an absolute HTTP address without credentials, query and fragment. */
export function parseServerUrl(
  text: string,
): { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly code: ServerProblem } {
  const url = URL.parse(text);
  if (url === null) return { ok: false, code: "not_absolute" };
  if (url.protocol !== "https:" && url.protocol !== "http:") return { ok: false, code: "scheme" };
  if (url.username !== "" || url.password !== "") return { ok: false, code: "credentials" };
  return url.search === "" && url.hash === "" ? { ok: true, url } : { ok: false, code: "query" };
}

/**
 * The address of a request below a base address. Undefined when the URL parser reads the address differently from how it was
 * built.
 */
export function joinUrl(server: URL, segments: readonly string[], query: string): URL | undefined {
  const base = server.pathname.replace(/\/+$/, "");
  const path = [base, ...segments].join("/");
  const url = URL.parse(`${server.origin}${path}${query === "" ? "" : `?${query}`}`);
  if (url === null || url.origin !== server.origin || url.hash !== "") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return url.pathname === path && (query === "") === (url.search === "") ? url : undefined;
}

/** Fills a path template with encoded values. Undefined when a filled segment is empty or means a directory. */
export function fillPath(
  segments: readonly (readonly PathPart[])[],
  values: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const filled = segments.map((parts) =>
    parts.map((part) => ("text" in part ? encodeLiteral(part.text) : (values.get(part.parameter) ?? ""))).join(""),
  );
  const single = filled.flatMap((segment) => segment.split("/"));
  const isSafe = single.every(
    (segment, index) => !isDotSegment(segment) && (segment !== "" || index === single.length - 1),
  );
  return isSafe ? single : undefined;
}

/** Fixed text may already contain escapes. */
function encodeLiteral(text: string): string {
  return encodeURI(text).replaceAll("%25", "%");
}
