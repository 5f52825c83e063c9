import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/wire";
import { isMap, isScalar, parseDocument, visit } from "yaml";

/** An OpenAPI document of a supported version, as plain data of bounded size. Its content is not trusted. */
export interface Document {
  readonly version: OpenapiVersion;
  readonly root: JsonObject;
}

/** The supported versions of OpenAPI. */
type OpenapiVersion = "3.0" | "3.1";

const DOCUMENT_PROBLEM_TEXTS = {
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
  readonly code: keyof typeof DOCUMENT_PROBLEM_TEXTS;
  readonly text: string;
}

/** The result of one step of loading. */
type DocumentResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: DocumentProblem };

/** A step that failed. */
export function documentProblem(code: DocumentProblem["code"]): DocumentResult<never> {
  return { ok: false, problem: { code, text: DOCUMENT_PROBLEM_TEXTS[code] } };
}

/** The largest public documents have 12 MB. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Options for loading a document. */
export interface LoadDocumentOptions {
  /**
   * The size limit of a document, in bytes.
   *
   * @default 16 MiB
   */
  readonly maxBytes?: number | undefined;
  /**
   * Ends the loading.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Reads a document from the network.
   *
   * @default documents from the network are refused
   */
  readonly fetchText?: FetchText | undefined;
}

/** Reads a text of at most `maxBytes` bytes from the network. It may reject. */
export type FetchText = (
  url: URL,
  options: { readonly maxBytes: number; readonly signal: AbortSignal | undefined },
) => Promise<DocumentResult<string>>;

/** An OpenAPI document: its text, the path of a file, an address, or the parsed object. */
export type DocumentSource = string | URL | object;

/** Loads an OpenAPI document. It never rejects. */
export async function loadDocument(
  source: DocumentSource,
  options: LoadDocumentOptions = {},
): Promise<DocumentResult<Document>> {
  const value = await readSource(source, options);
  if (!value.ok) return value;
  const plain = toPlainData(value.value);
  return plain.ok ? readVersion(plain.value) : plain;
}

async function readSource(source: DocumentSource, options: LoadDocumentOptions): Promise<DocumentResult<unknown>> {
  if (typeof source === "object" && !(source instanceof URL)) return { ok: true, value: source };
  const maxBytes = options.maxBytes ?? MAX_DOCUMENT_BYTES;
  const text = await readDocumentText(locateSource(source), { ...options, maxBytes });
  if (!text.ok) return text;
  return Buffer.byteLength(text.value) > maxBytes ? documentProblem("too_large") : parseText(text.value);
}

type SourceLocation = { readonly text: string } | { readonly file: string } | { readonly url: URL };

/** The text of a document has several lines or starts with a brace; any other string is a path or an address. */
function locateSource(source: string | URL): SourceLocation {
  if (typeof source === "string" && /\n|^\s*\{/.test(source)) return { text: source };
  const url = typeof source !== "string" || /^(?:https?|file):/i.test(source) ? URL.parse(String(source)) : null;
  if (url === null) return { file: String(source) };
  return url.protocol === "file:" ? { file: fileURLToPath(url) } : { url };
}

async function readDocumentText(
  place: SourceLocation,
  options: LoadDocumentOptions & { maxBytes: number },
): Promise<DocumentResult<string>> {
  const { maxBytes, signal, fetchText } = options;
  if ("text" in place) return { ok: true, value: place.text };
  try {
    if ("url" in place) {
      if (fetchText === undefined) return documentProblem("remote");
      return await fetchText(place.url, { maxBytes, signal });
    }
    const { size } = await stat(place.file).then((found) => (found.isFile() ? found : Promise.reject(found)));
    if (size > maxBytes) return documentProblem("too_large");
    const bytes = await readFile(place.file, { signal });
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return documentProblem("unreadable");
  }
}

/** How often one anchor may be used: enough for people, too few for a document that multiplies itself. */
const MAX_YAML_ALIASES = 100;

/** Parses a JSON or YAML text. */
export function parseText(text: string): DocumentResult<unknown> {
  if (text.trimStart().startsWith("{")) {
    try {
      return { ok: true, value: JSON.parse(text) };
    } catch {
      // YAML may start with a brace too.
    }
  }
  try {
    return parseYamlText(text);
  } catch (error) {
    // Nesting that exhausts the stack throws a RangeError; the parser reports every other error itself.
    return documentProblem(error instanceof RangeError ? "too_deep" : "malformed");
  }
}

function parseYamlText(text: string): DocumentResult<unknown> {
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
    return { ok: true, value: document.toJS({ maxAliasCount: MAX_YAML_ALIASES }) };
  } catch (error) {
    return documentProblem(error instanceof ReferenceError ? "aliases" : "malformed");
  }
}

/** Schemas of real documents stay below 40 levels. */
const MAX_DOCUMENT_DEPTH = 100;

/** About as many values as 16 MB of JSON hold. Aliases and shared objects count each time they are used. */
const MAX_DOCUMENT_VALUES = 2_000_000;

/**
 * Copies a value as plain JSON data. Values that JSON does not have are left out, and so is `__proto__`: no API uses it, and
 * it would be dangerous in every later copy.
 */
export function toPlainData(value: unknown): DocumentResult<unknown> {
  let nodes = 0;
  let isTooDeep = false;

  function copy(from: unknown, depth: number): unknown {
    nodes += 1;
    if (depth > MAX_DOCUMENT_DEPTH) isTooDeep = true;
    if (isTooDeep || nodes > MAX_DOCUMENT_VALUES) return undefined;
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
  return nodes > MAX_DOCUMENT_VALUES ? documentProblem("too_large") : { ok: true, value: copied };
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Reads the version of a parsed document. */
export function readVersion(root: unknown): DocumentResult<Document> {
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
