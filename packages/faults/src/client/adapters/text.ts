/** A block of content, as far as it can be told in words. */
interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: { readonly text?: unknown; readonly uri?: unknown };
}

interface Result {
  readonly content?: readonly Block[];
  readonly structuredContent?: unknown;
}

/** A tool's result as text: its text blocks, a name for everything else, or its data where it has no content. */
export function textOf(result: unknown): string {
  const { content, structuredContent } = (result ?? {}) as Result;
  const lines = Array.isArray(content) ? content.map(lineOf) : [];
  if (lines.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return lines.join("\n");
}

function lineOf(block: Block): string {
  if (typeof block.text === "string") return block.text;
  if (typeof block.resource?.text === "string") return block.resource.text;
  const about = [block.type, block.mimeType, block.uri ?? block.resource?.uri].filter((one) => typeof one === "string");
  return `[${about.join(" ")}]`;
}
