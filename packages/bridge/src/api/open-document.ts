import { type Document, type DocumentProblem, documentProblem } from "../document/document.ts";
import { type DocumentSource, type FetchText, loadDocument } from "../document/load.ts";
import type { Network } from "../network/create-network.ts";

/** An OpenAPI document that cannot be used. The message says why, and what to do. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  /** Why the document cannot be used. */
  readonly code: DocumentProblem["code"];

  constructor({ code, text }: DocumentProblem) {
    super(text);
    this.code = code;
  }
}

/** A document, and its address where it was fetched. */
export interface OpenedDocument {
  readonly document: Document;
  readonly fetchedFrom: URL | undefined;
}

/** Loads a document. Fetching it follows the same rules as every other request. Throws a `DocumentError`. */
export async function openDocument(
  source: DocumentSource,
  network: Network,
  signal: AbortSignal | undefined,
): Promise<OpenedDocument> {
  let fetchedFrom: URL | undefined;
  const fetchText: FetchText = async (url) => {
    fetchedFrom = url;
    const headers = { accept: "application/json, application/yaml, text/yaml, */*;q=0.1" };
    const result = await network.send({ method: "GET", url, headers }, { signal });
    if (!result.ok) throw result.failure.cause;
    const { status, bodyError, body } = result.reply;
    if (status === 200 && bodyError === "too_large") return documentProblem("over_limit");
    if (status !== 200 || bodyError !== undefined) return documentProblem("unreadable");
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(body) };
  };
  const loaded = await loadDocument(source, { signal, fetchText });
  if (!loaded.ok) throw new DocumentError(loaded.problem);
  return { document: loaded.value, fetchedFrom };
}
