import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";

/** An OpenAPI document of a supported version, as plain data of bounded size. Its content is not trusted. */
export interface Document {
  readonly version: Version;
  readonly root: JsonObject;
}

/** The supported versions of OpenAPI. */
type Version = "3.0" | "3.1";

const PROBLEM_TEXTS = {
  unreadable: "The document could not be read. Check that the file or the address exists and can be read.",
  over_limit:
    "The document has more bytes than a reply may have. Raise network.maxResponseBytes, or pass the text or a file.",
  remote: "Documents are not fetched from the network here. Pass the text, a file or a parsed object.",
  too_large:
    "The document is too large: at most 16 MiB and 2,000,000 values. Split it, or remove what you do not need.",
  too_deep: "The document is nested too deeply, or it contains itself. Replace the nesting by $ref.",
  malformed: "The document is neither JSON nor YAML. Correct its syntax.",
  ambiguous: "The document has the same key twice in one mapping. Remove one of them.",
  custom_tag: "The document uses YAML tags that JSON does not have. Remove them.",
  aliases: "The document uses too many YAML aliases. Replace them by $ref.",
  not_openapi: "This is not an OpenAPI document: it has no version in `openapi`. Pass an OpenAPI 3.0 or 3.1 document.",
  swagger_2: "This is Swagger 2.0. Convert it to OpenAPI 3.0 or 3.1 first.",
  newer: "This version of OpenAPI is not supported. Use OpenAPI 3.0 or 3.1.",
} as const satisfies Readonly<Record<string, string>>;

/** Why a document cannot be used, and what to do about it. */
export interface DocumentProblem {
  readonly code: keyof typeof PROBLEM_TEXTS;
  readonly text: string;
}

/** The result of one step of loading. */
export type Loaded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: DocumentProblem };

/** A step that failed. */
export function documentProblem(code: DocumentProblem["code"]): Loaded<never> {
  return { ok: false, problem: { code, text: PROBLEM_TEXTS[code] } };
}

/** Reads the version of a parsed document. */
export function readVersion(root: unknown): Loaded<Document> {
  if (!isObject(root)) return documentProblem("not_openapi");
  if (memberAt(root, "swagger") !== undefined) return documentProblem("swagger_2");
  const version = memberAt(root, "openapi");
  // YAML reads an unquoted version of two parts as a number.
  const text = typeof version === "number" ? version.toFixed(1) : version;
  if (typeof text !== "string") return documentProblem("not_openapi");
  const [, minor] = /^3\.([01])(?:\.\d+)?(?:-[\w.]+)?$/.exec(text) ?? [];
  if (minor === undefined) return documentProblem(/^\d+\.\d+/.test(text) ? "newer" : "not_openapi");
  return { ok: true, value: { version: minor === "0" ? "3.0" : "3.1", root } };
}

const MAX_SERVERS = 32;
const MAX_ADDRESS_LENGTH = 2_048;

/** The addresses in a `servers` list, with the defaults of their variables. The operator decides which of them are used. */
export function serverAddresses(holder: unknown): readonly string[] {
  return arrayAt(holder, "servers")
    .slice(0, MAX_SERVERS)
    .map(serverAddress)
    .filter((address) => address !== undefined);
}

function serverAddress(server: unknown): string | undefined {
  const variables = objectAt(server, "variables");
  let isComplete = true;
  const address = stringAt(server, "url")?.replaceAll(/\{([^{}]{1,64})\}/g, (_, name: string) => {
    const value = memberAt(objectAt(variables, name), "default");
    isComplete &&= typeof value === "string";
    return String(value);
  });
  return isComplete && address !== undefined && address.length <= MAX_ADDRESS_LENGTH ? address : undefined;
}
