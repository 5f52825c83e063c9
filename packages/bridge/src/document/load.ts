import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Document, documentProblem, type Loaded, readVersion } from "./document.ts";
import { parseText, toPlainData } from "./parse.ts";

/** The largest public documents have 12 MB. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Options for loading a document. */
export interface LoadOptions {
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
) => Promise<Loaded<string>>;

/** An OpenAPI document: its text, the path of a file, an address, or the parsed object. */
export type DocumentSource = string | URL | object;

/** Loads an OpenAPI document. It never rejects. */
export async function loadDocument(source: DocumentSource, options: LoadOptions = {}): Promise<Loaded<Document>> {
  const value = await readSource(source, options);
  if (!value.ok) return value;
  const plain = toPlainData(value.value);
  return plain.ok ? readVersion(plain.value) : plain;
}

async function readSource(source: DocumentSource, options: LoadOptions): Promise<Loaded<unknown>> {
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
  options: LoadOptions & { maxBytes: number },
): Promise<Loaded<string>> {
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
