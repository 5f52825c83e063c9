import { readResult, type ToolPart, textOf } from "./tool-parts.ts";

/** One part of what a model reads: text, or a file with its bytes in base64. */
export type AiPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "file";
      readonly mediaType: string;
      readonly data: { readonly type: "data"; readonly data: string };
    };

/** What a model reads of a tool's result. */
export type AiModelOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "error-text"; readonly value: string }
  // biome-ignore lint/suspicious/noExplicitAny: the AI SDK's type of JSON is not imported.
  | { readonly type: "json"; readonly value: any }
  | { readonly type: "content"; readonly value: AiPart[] };

/** A tool's result for a model: structured content as JSON, images and files as files, all else as text. */
export function modelOutputOf(result: unknown): AiModelOutput {
  const { parts, structuredContent, isStructuredOnly } = readResult(result);
  if (isStructuredOnly) return { type: "json", value: structuredContent };
  if (parts.every(({ type }) => type === "text")) return { type: "text", value: textOf(parts) };
  return { type: "content", value: parts.map(aiPart) };
}

function aiPart(part: ToolPart): AiPart {
  return part.type === "text" ? part : { ...part, data: { type: "data", data: part.data } };
}
