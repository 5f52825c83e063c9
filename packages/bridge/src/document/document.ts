import type { Json } from "./json.ts";

/** An OpenAPI document: plain data of bounded size, of a version that is understood. Its content is untrusted. */
export interface Document {
  readonly version: Version;
  readonly root: Json;
}

/** The versions of OpenAPI that are read. */
type Version = "3.0" | "3.1";

const PROBLEMS = {
  unreadable: "The document could not be read.",
  remote: "Documents are not fetched from the network here: hand over the text, a file or an object.",
  too_large: "The document is larger than the limit.",
  too_deep: "The document is nested too deeply, or it contains itself.",
  malformed: "The document is neither JSON nor YAML.",
  ambiguous: "The document has the same key twice in one mapping.",
  custom_tag: "The document uses YAML tags beyond those of JSON.",
  aliases: "The document uses too many YAML aliases.",
  not_openapi: "This is not an OpenAPI document: it has no version in `openapi`.",
  swagger_2: "This is Swagger 2.0. Convert it to OpenAPI 3.0 or 3.1 first.",
  newer: "This version of OpenAPI is not supported: 3.0 and 3.1 are.",
} as const satisfies Readonly<Record<string, string>>;

/** Why a document cannot be used. */
export interface DocumentProblem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: string;
}

/** A step of loading: what it made, or why it could not. */
export type Loaded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: DocumentProblem };

/** A failed step. */
export function problem(code: DocumentProblem["code"]): Loaded<never> {
  return { ok: false, problem: { code, text: PROBLEMS[code] } };
}
