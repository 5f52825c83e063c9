import type { Fault } from "../fault/fault.ts";
import type { ClientLike } from "../sdk/client.ts";
import {
  type AgentTool,
  type AgentToolsOptions,
  agentTools,
  joinToolParts,
  readToolResult,
  type ToolPart,
} from "./agent-tools.ts";
import type { InputRequired } from "./options.ts";
import type { RecourseClient } from "./recourse.ts";

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
export function renderAiOutput(result: unknown): AiModelOutput {
  const { parts, structuredContent, isStructuredOnly } = readToolResult(result);
  if (isStructuredOnly) return { type: "json", value: structuredContent };
  if (parts.every(({ type }) => type === "text")) return { type: "text", value: joinToolParts(parts) };
  return { type: "content", value: parts.map(aiPart) };
}

function aiPart(part: ToolPart): AiPart {
  return part.type === "text" ? part : { ...part, data: { type: "data", data: part.data } };
}

/** What a tool's `execute` returns: the result of the call, or its fault and the text that the model reads. */
export type AiOutput =
  | { readonly result: unknown; readonly fault?: undefined }
  | { readonly fault: Fault; readonly text: string };

/** A tool as the Vercel AI SDK takes it; `Schema` is what its `jsonSchema` makes. */
export interface AiTool<Schema> {
  /** Marks a tool whose types are known at run time only. */
  type: "dynamic";
  /** What the tool does, as the server says. */
  description?: string;
  /** The schema of the arguments. */
  inputSchema: Schema;
  /** Calls the tool; never rejects. */
  execute(input: unknown, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<AiOutput>;
  /** What the model reads of the output. */
  toModelOutput(options: { readonly output: unknown }): AiModelOutput;
}

/** Options of `aiTools`. */
export interface AiToolsOptions<Schema> extends AgentToolsOptions {
  /** `jsonSchema` of the package `ai`, which marks a schema in a way that only that package knows. */
  readonly jsonSchema: (schema: never) => Schema;
}

/**
 * The server's tools for `generateText({ tools })` of the Vercel AI SDK. A failed call becomes text that says what to do
 * next, never a throw; images and structured content are kept. It rejects with a FaultError only if the tools have to be
 * listed and cannot be.
 *
 * @example
 * import { generateText, jsonSchema } from "ai";
 *
 * const tools = await aiTools(mcp, { jsonSchema });
 * const { text } = await generateText({ model, tools, prompt: "Cancel order 7." });
 */
export async function aiTools<Schema, C extends ClientLike>(
  mcp: RecourseClient<C, InputRequired> | RecourseClient<C>,
  options: AiToolsOptions<Schema>,
): Promise<Record<string, AiTool<Schema>>> {
  const tools = await agentTools(mcp, options);
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiTool(tool, options)]));
}

function toAiTool<Schema>(tool: AgentTool, { jsonSchema }: AiToolsOptions<Schema>): AiTool<Schema> {
  return {
    type: "dynamic",
    ...(tool.description !== "" && { description: tool.description }),
    inputSchema: jsonSchema(tool.inputSchema as never),
    async execute(input, options) {
      const abortSignal = options?.abortSignal;
      const own = abortSignal === undefined ? {} : { signal: abortSignal };
      const { fault, text, result } = await tool.execute(input, own);
      return fault === undefined ? { result } : { fault, text };
    },
    toModelOutput({ output }) {
      // A stored conversation may have lost the output.
      const made = output as AiOutput | null | undefined;
      return made?.fault ? { type: "error-text", value: made.text } : renderAiOutput(made?.result);
    },
  };
}
