import { type Document, type Loaded, problem } from "./document.ts";
import { isJson, memberAt } from "./json.ts";

/** Finds out the version of a parsed document. */
export function withVersion(root: unknown): Loaded<Document> {
  if (!isJson(root)) return problem("not_openapi");
  if (memberAt(root, "swagger") !== undefined) return problem("swagger_2");
  const version = memberAt(root, "openapi");
  // Without quotation marks, YAML reads a version of two parts as a number.
  const text = typeof version === "number" ? version.toFixed(1) : version;
  if (typeof text !== "string") return problem("not_openapi");
  const [, minor] = /^3\.([01])(?:\.\d+)?(?:-[\w.]+)?$/.exec(text) ?? [];
  if (minor === undefined) return problem(/^\d+\.\d+/.test(text) ? "newer" : "not_openapi");
  return { ok: true, value: { version: minor === "0" ? "3.0" : "3.1", root } };
}
