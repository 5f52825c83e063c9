import { canonical } from "../json/canonical.ts";
import { parseJson } from "../json/read.ts";

/** A block of content, as far as it is used. */
interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: {
    readonly text?: unknown;
    readonly blob?: unknown;
    readonly uri?: unknown;
    readonly mimeType?: unknown;
  };
}

/** One part of what a model reads: text, or a file (an image, a sound, a document) with its bytes in base64. */
export type ToolPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: string };

/** A tool's result, read once. */
export interface ReadResult {
  /** All that the model reads: structured content stands at the end as JSON, unless a text says the same already. */
  readonly parts: readonly ToolPart[];
  /** The structured content, where the result has some. */
  readonly structuredContent?: unknown;
  /** Whether the structured content says all: there is no other content, or only the same as JSON text. */
  readonly isStructuredOnly: boolean;
}

/** Reads a result of any version of the SDK. Links and blocks of unknown types become text that names them. */
export function readResult(result: unknown): ReadResult {
  const { content, structuredContent } = (result ?? {}) as {
    readonly content?: readonly (Block | null)[];
    readonly structuredContent?: unknown;
  };
  const parts = Array.isArray(content) ? content.map((block) => partOf(block ?? {})) : [];
  const json = structuredContent === undefined ? undefined : jsonText(structuredContent);
  if (json === undefined) return { parts, isStructuredOnly: false };
  const others = parts.filter((part) => part.type === "file" || !repeats(part.text, json));
  const isTold = others.length < parts.length;
  return {
    parts: isTold ? parts : [...parts, { type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
    isStructuredOnly: others.length === 0,
  };
}

/** The parts as one text, for frameworks that hand only text to a model. Files are named, since their bytes are no text. */
export function textOf(parts: readonly ToolPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : `[file ${part.mediaType}]`)).join("\n");
}

/** The protocol asks servers to repeat structured content as JSON text, for clients that do not know it. */
function repeats(text: string, json: string): boolean {
  return jsonText(parseJson(text, Number.POSITIVE_INFINITY)) === json;
}

/** Undefined where the value is nested too deeply to be written. */
function jsonText(value: unknown): string | undefined {
  try {
    return canonical(value);
  } catch {
    return undefined;
  }
}

function partOf(block: Block): ToolPart {
  if (typeof block.text === "string") return { type: "text", text: block.text };
  const { resource } = block;
  if (typeof resource?.text === "string") return { type: "text", text: resource.text };
  const bytes = typeof block.data === "string" ? block.data : resource?.blob;
  const types = [block.mimeType, resource?.mimeType, "application/octet-stream"];
  const mediaType = types.find((one): one is string => typeof one === "string") as string;
  if (typeof bytes === "string") return { type: "file", mediaType, data: bytes };
  const about = [block.type, block.mimeType, block.uri ?? resource?.uri].filter((one) => typeof one === "string");
  return { type: "text", text: `[${about.join(" ")}]` };
}
