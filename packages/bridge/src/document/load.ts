import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Document, type Loaded, problem } from "./document.ts";
import { parseText } from "./parse.ts";
import { toPlain } from "./plain.ts";
import { withVersion } from "./version.ts";

/** The largest public documents have 12 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What loading may be told. */
export interface LoadOptions {
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Reads a document from the network; without it such documents are refused. */
  readonly fetchText?: FetchText | undefined;
}

/** Reads a text of at most so many bytes from the network. */
export type FetchText = (
  url: URL,
  options: { readonly maxBytes: number; readonly signal: AbortSignal | undefined },
) => Promise<string>;

/** Where a document comes from: its text, a file, an address, or the parsed object. */
export type DocumentSource = string | URL | object;

/** Loads an OpenAPI document; never rejects. */
export async function loadDocument(source: DocumentSource, options: LoadOptions = {}): Promise<Loaded<Document>> {
  const value = await parsed(source, options);
  if (!value.ok) return value;
  const plain = toPlain(value.value);
  return plain.ok ? withVersion(plain.value) : plain;
}

async function parsed(source: DocumentSource, options: LoadOptions): Promise<Loaded<unknown>> {
  if (typeof source === "object" && !(source instanceof URL)) return { ok: true, value: source };
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const text = await textOf(placeOf(source), { ...options, maxBytes });
  if (!text.ok) return text;
  return Buffer.byteLength(text.value) > maxBytes ? problem("too_large") : parseText(text.value);
}

type Place = { readonly text: string } | { readonly file: string } | { readonly url: URL };

/** A text of a document has several lines or is an object; everything else of one line names a place. */
function placeOf(source: string | URL): Place {
  if (typeof source === "string" && /\n|^\s*\{/.test(source)) return { text: source };
  const url = typeof source !== "string" || /^(?:https?|file):/i.test(source) ? URL.parse(String(source)) : null;
  if (url === null) return { file: String(source) };
  return url.protocol === "file:" ? { file: fileURLToPath(url) } : { url };
}

async function textOf(place: Place, options: LoadOptions & { maxBytes: number }): Promise<Loaded<string>> {
  const { maxBytes, signal, fetchText } = options;
  if ("text" in place) return { ok: true, value: place.text };
  try {
    if ("url" in place) {
      if (fetchText === undefined) return problem("remote");
      return { ok: true, value: await fetchText(place.url, { maxBytes, signal }) };
    }
    const { size } = await stat(place.file).then((found) => (found.isFile() ? found : Promise.reject(found)));
    if (size > maxBytes) return problem("too_large");
    const bytes = await readFile(place.file, { signal });
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return problem("unreadable");
  }
}
