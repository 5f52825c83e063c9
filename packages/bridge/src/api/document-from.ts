import type { Document, DocumentProblem } from "../document/document.ts";
import { type DocumentSource, type FetchText, loadDocument } from "../document/load.ts";
import type { Network } from "../network/network.ts";

/** A document that cannot be used, and why. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: DocumentProblem["code"];

  constructor({ code, text }: DocumentProblem) {
    super(text);
    this.code = code;
  }
}

/** A document, and where on the network it came from. */
export interface Found {
  readonly document: Document;
  readonly fetchedFrom: URL | undefined;
}

/** Loads a document, from the network under the same rules as every other request. */
export async function documentFrom(
  source: DocumentSource,
  network: Network,
  signal: AbortSignal | undefined,
): Promise<Found> {
  let fetchedFrom: URL | undefined;
  const fetchText: FetchText = async (url) => {
    fetchedFrom = url;
    const headers = { accept: "application/json, application/yaml, text/yaml, */*;q=0.1" };
    const ended = await network.send({ method: "GET", url, headers }, { signal });
    if (!ended.ok) throw ended.failure.cause;
    if (ended.reply.status !== 200 || ended.reply.flaw !== undefined) throw new Error("the document did not come");
    return new TextDecoder("utf-8", { fatal: true }).decode(ended.reply.body);
  };
  const loaded = await loadDocument(source, { signal, fetchText });
  if (!loaded.ok) throw new DocumentError(loaded.problem);
  return { document: loaded.value, fetchedFrom };
}
