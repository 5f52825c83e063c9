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

interface ToolResult {
  readonly content?: readonly Block[];
  readonly structuredContent?: unknown;
}

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
  const { content, structuredContent } = (result ?? {}) as ToolResult;
  const parts = Array.isArray(content) ? content.map(partOf) : [];
  const hasFile = parts.some(({ type }) => type === "file");
  // The text blocks of a structured result repeat it for clients that do not know structured content.
  if (structuredContent !== undefined && !hasFile) return { type: "json", value: structuredContent };
  if (!hasFile) return { type: "text", value: parts.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
  return { type: "content", value: parts };
}

function partOf(block: Block): AiPart {
  if (typeof block.text === "string") return { type: "text", text: block.text };
  const { resource } = block;
  if (typeof resource?.text === "string") return { type: "text", text: resource.text };
  const bytes = typeof block.data === "string" ? block.data : resource?.blob;
  const mediaType = block.mimeType ?? resource?.mimeType ?? "application/octet-stream";
  if (typeof bytes === "string")
    return { type: "file", mediaType: String(mediaType), data: { type: "data", data: bytes } };
  const about = [block.type, block.mimeType, block.uri ?? resource?.uri].filter((one) => typeof one === "string");
  return { type: "text", text: `[${about.join(" ")}]` };
}
