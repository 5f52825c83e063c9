import type { Document } from "../document/document.ts";
import type { Json } from "../document/json.ts";
import { memberAt, stringAt } from "../document/json.ts";
import { resolvedObject } from "../document/refs.ts";

const ONE = {
  type: "object",
  description: "A file.",
  properties: {
    filename: { type: "string" },
    mimeType: { type: "string" },
    dataBase64: { type: "string", description: "The content, in base64." },
  },
  required: ["filename", "dataBase64"],
  additionalProperties: false,
} as const satisfies Json;

/** What a tool takes for a file of a form, and for several. */
export const FILE = { one: ONE, many: { type: "array", items: ONE } } as const satisfies Readonly<Record<string, Json>>;

/** Whether a member of a form is a file, or a list of files. */
export function isFile(document: Document, node: unknown): keyof typeof FILE | undefined {
  const schema = resolvedObject(document, node);
  if (isBinary(schema)) return "one";
  return isBinary(resolvedObject(document, memberAt(schema, "items"))) ? "many" : undefined;
}

/** OpenAPI 3.0 says it with a format, 3.1 with a media type. */
function isBinary(schema: unknown): boolean {
  if (stringAt(schema, "format") === "binary") return true;
  const type = stringAt(schema, "contentMediaType");
  return type !== undefined && stringAt(schema, "contentEncoding") === undefined && !/json|^text\//.test(type);
}
