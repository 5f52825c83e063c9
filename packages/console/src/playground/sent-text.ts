import { arrayAt, memberAt, objectAt, parseJson, stringAt } from "@recourse/core/wire";

/** What a server sent, out of what was pasted. */
export interface SentText {
  /** The text that a model would read. */
  readonly text: string;
  /** Whether it is the text of a message, or plain words. Other JSON is data, of which a model reads no certain part. */
  readonly isMessage: boolean;
  /** The texts to judge: brackets of JSON would be taken for code. */
  readonly strings: readonly string[];
}

/** More texts of a document are not looked at. */
const MAX_STRINGS = 200;

/** Finds what a server sent: JSON, a raw HTTP reply, an event stream, or words. */
export function findSentText(pasted: string): SentText {
  const documents = readDocuments(pasted);
  const texts = documents.flatMap((one) => readMessageText(one) ?? readBodyText(one) ?? []);
  if (texts.length > 0) return { text: texts.join("\n"), isMessage: true, strings: texts };
  if (documents.length === 0) return { text: pasted, isMessage: true, strings: [pasted] };
  const strings = listStrings(documents);
  return { text: strings.join("\n"), isMessage: false, strings };
}

/** The JSON that was sent: all of the text, the body of a reply, or the data of events. */
function readDocuments(pasted: string): readonly object[] {
  const text = pasted.trim().replaceAll("\r\n", "\n");
  const parts = /^(?:event|data|id|retry):/.test(text)
    ? Array.from(text.matchAll(/^data: ?(.*)$/gm), ([, data = ""]) => data)
    : [/^HTTP\/\d/.test(text) ? text.slice(text.indexOf("\n\n") + 2) : text];
  return parts.flatMap((part) => {
    const value = parseJson(part);
    return typeof value === "object" && value !== null ? [value] : [];
  });
}

/** The text of a JSON-RPC error or of a tool result. */
function readMessageText(value: unknown): string | undefined {
  const result = objectAt(value, "result") ?? value;
  const blocks = arrayAt(result, "content").flatMap((block) => stringAt(block, "text") ?? []);
  const error = stringAt(objectAt(value, "error"), "message") ?? stringAt(value, "error");
  return error ?? (blocks.length > 0 ? blocks.join("\n") : undefined);
}

/** The text of `{ status, headers, body }`. */
function readBodyText(value: unknown): string | undefined {
  if (typeof memberAt(value, "status") !== "number") return undefined;
  const body = memberAt(value, "body");
  return readMessageText(typeof body === "string" ? (parseJson(body) ?? body) : body) ?? stringAt(value, "body");
}

function listStrings(values: readonly object[]): readonly string[] {
  const strings: string[] = [];
  const waiting: unknown[] = [...values];
  for (const one of waiting) {
    if (strings.length >= MAX_STRINGS) break;
    if (typeof one === "string") strings.push(one);
    else if (typeof one === "object" && one !== null) waiting.push(...Object.values(one).slice(0, MAX_STRINGS));
  }
  return strings;
}
