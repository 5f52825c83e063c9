import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt, unescapeToken } from "@recourse/core/wire";
import { isScalar, parseDocument, visit } from "yaml";

/** An OpenAPI document of a supported version, as plain data of bounded size. Its content is not trusted. */
export interface Document {
  readonly version: "3.0" | "3.1";
  readonly root: JsonObject;
}

const DOCUMENT_PROBLEM_TEXTS = {
  unreadable: "The document could not be read. Check that the file or the address exists and can be read.",
  over_limit:
    "The document has more bytes than a reply may have. Raise network.maxResponseBytes, or pass the text or a file.",
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

/** An OpenAPI document that cannot be used. The message says why, and what to do. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  /** Why the document cannot be used. */
  readonly code: keyof typeof DOCUMENT_PROBLEM_TEXTS;

  constructor(code: DocumentError["code"]) {
    super(DOCUMENT_PROBLEM_TEXTS[code]);
    this.code = code;
  }
}

/** The largest public documents have 12 MB. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** How documents from the network are read. It may reject. */
type FetchText = (url: URL) => Promise<string>;

/** An OpenAPI document: its text, the path of a file, an address, or the parsed object. */
export type DocumentSource = string | URL | object;

/** Loads an OpenAPI document. It throws a `DocumentError`. */
export async function loadDocument(
  source: DocumentSource,
  fetchText: FetchText,
  signal?: AbortSignal,
): Promise<Document> {
  if (typeof source === "object" && !(source instanceof URL)) return readVersion(toPlainData(source));
  // The text of a document has several lines or starts with a brace; any other string is a path or an address.
  const isText = typeof source === "string" && /\n|^\s*\{/.test(source);
  const text = isText ? source : await readSource(source, fetchText, signal);
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw new DocumentError("too_large");
  return readVersion(toPlainData(parseText(text)));
}

async function readSource(place: string | URL, fetchText: FetchText, signal?: AbortSignal): Promise<string> {
  const url = typeof place !== "string" || /^(?:https?|file):/i.test(place) ? URL.parse(String(place)) : null;
  try {
    if (url !== null && url.protocol !== "file:") return await fetchText(url);
    const file = url === null ? String(place) : fileURLToPath(url);
    const found = await stat(file);
    if (!found.isFile()) throw new DocumentError("unreadable");
    if (found.size > MAX_DOCUMENT_BYTES) throw new DocumentError("too_large");
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file, { signal }));
  } catch (error) {
    throw error instanceof DocumentError ? error : new DocumentError("unreadable");
  }
}

/** How often one anchor may be used: enough for people, too few for a document that multiplies itself. */
const MAX_YAML_ALIASES = 100;

export function parseText(text: string): unknown {
  if (text.trimStart().startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch {
      // YAML may start with a brace too.
    }
  }
  try {
    return parseYamlText(text);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // Nesting that exhausts the stack throws a RangeError; the parser reports every other error itself.
    throw new DocumentError(error instanceof RangeError ? "too_deep" : "malformed");
  }
}

function parseYamlText(text: string): unknown {
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
    throw new DocumentError("custom_tag");
  if (document.errors.length > 0) throw new DocumentError("malformed");
  visit(document, {
    Map(_, map) {
      const keys = new Set(map.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : pair.key)));
      if (keys.size < map.items.length) throw new DocumentError("ambiguous");
    },
  });
  try {
    return document.toJS({ maxAliasCount: MAX_YAML_ALIASES });
  } catch (error) {
    throw new DocumentError(error instanceof ReferenceError ? "aliases" : "malformed");
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
export function toPlainData(value: unknown): unknown {
  let nodes = 0;

  function copy(from: unknown, depth: number): unknown {
    nodes += 1;
    if (depth > MAX_DOCUMENT_DEPTH) throw new DocumentError("too_deep");
    if (nodes > MAX_DOCUMENT_VALUES) throw new DocumentError("too_large");
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

  return copy(value, 0);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function readVersion(root: unknown): Document {
  if (!isObject(root)) throw new DocumentError("not_openapi");
  if (memberAt(root, "swagger") !== undefined) throw new DocumentError("swagger_2");
  const version = memberAt(root, "openapi");
  // YAML reads an unquoted version of two parts as a number.
  const text = typeof version === "number" ? version.toFixed(1) : version;
  if (typeof text !== "string") throw new DocumentError("not_openapi");
  const [, minor] = /^3\.([01])(?:\.\d+)?(?:-[\w.]+)?$/.exec(text) ?? [];
  if (minor === undefined) throw new DocumentError(/^\d+\.\d+/.test(text) ? "newer" : "not_openapi");
  return { version: minor === "0" ? "3.0" : "3.1", root };
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
