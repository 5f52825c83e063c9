import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { internal } from "../reasons/library/core.ts";
import { render } from "../render/render.ts";
import type { ClientLike, ListedTool, ResultOf } from "../sdk/client.ts";
import { canonical, parseJson } from "../wire/json.ts";
import type { CallOptions, InputRequired } from "./options.ts";
import type { RecourseClient } from "./recourse.ts";

interface ResultBlock {
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
interface ToolResultParts {
  /** All that the model reads: structured content stands at the end as JSON, unless a text says the same already. */
  readonly parts: readonly ToolPart[];
  /** The structured content, if the result has some. */
  readonly structuredContent?: unknown;
  /** Whether the structured content says all: there is no other content, or only the same as JSON text. */
  readonly isStructuredOnly: boolean;
}

/** Reads a result of any version of the SDK. Links and blocks of unknown types become text that names them. */
export function readToolResult(result: unknown): ToolResultParts {
  const { content, structuredContent } = (result ?? {}) as {
    readonly content?: readonly (ResultBlock | null)[];
    readonly structuredContent?: unknown;
  };
  const parts = Array.isArray(content) ? content.map((block) => toToolPart(block ?? {})) : [];
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
export function joinToolParts(parts: readonly ToolPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : `[file ${part.mediaType}]`)).join("\n");
}

/** The protocol asks servers to repeat structured content as JSON text, for clients that do not know it. */
function repeats(text: string, json: string): boolean {
  return jsonText(parseJson(text, Number.POSITIVE_INFINITY)) === json;
}

/** Undefined if the value is nested too deeply to be written. */
function jsonText(value: unknown): string | undefined {
  try {
    return canonical(value);
  } catch {
    return undefined;
  }
}

function toToolPart(block: ResultBlock): ToolPart {
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

/** How a tool call of a model ended, ready for any framework. */
export interface ToolReply<Result = unknown> {
  /** Whether the call failed. */
  readonly isError: boolean;
  /** What the model reads, as one text: the result, or what failed and what to do next. Files are only named in it. */
  readonly text: string;
  /** What the model reads, with images and files; one text if the call failed. */
  readonly parts: readonly ToolPart[];
  /** The structured content of the result. It stands in `text` and `parts`, too. */
  readonly structuredContent?: unknown;
  /** The result as the SDK gave it, if the call succeeded. */
  readonly result?: Result;
  /** The fault, if the call failed. */
  readonly fault?: Fault;
  /** What was thrown if an option of yours failed or the result cannot be read. It is for your log, not for the model. */
  readonly cause?: unknown;
  /** What the server asks for before it continues; only from a client made with `inputRequired: "return"`. */
  readonly inputRequired?: InputRequired["inputRequired"];
}

/** A tool of the server, without the habits of any framework. */
export interface AgentTool<Result = unknown> {
  /** Name of the tool. */
  readonly name: string;
  /** What the tool does, as the server says; empty if it says nothing. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The tool as the server lists it. */
  readonly listed: ListedTool;
  /** Calls the tool; never rejects. */
  execute(args: unknown, options?: CallOptions): Promise<ToolReply<Result>>;
}

/** Options of `agentTools`. */
export interface AgentToolsOptions {
  /** The tools to offer, for example some of the server's. @default all of them */
  readonly tools?: readonly ListedTool[];
  /** Options of one call, such as its idempotency key; they come before those of `execute`. @default none */
  readonly callOptions?: (tool: string, input: unknown) => CallOptions;
}

/** The schema of a tool whose server lists none: any object. */
const ANY_OBJECT = { type: "object", properties: {} };

/**
 * The server's tools for an agent framework. A failed call is a reply whose text says what to do next, never a throw, so no
 * framework has a reason to retry it or to put words of its own around it. It rejects with a FaultError only if the
 * tools have to be listed and cannot be.
 *
 * @example
 * for (const { name, description, inputSchema, execute } of await agentTools(mcp)) {
 *   framework.addTool(name, description, inputSchema, async (args, { signal }) => (await execute(args, { signal })).text);
 * }
 */
export async function agentTools<C extends ClientLike>(
  mcp: RecourseClient<C, InputRequired> | RecourseClient<C>,
  options: AgentToolsOptions = {},
): Promise<readonly AgentTool<ResultOf<C, "callTool">>[]> {
  const tools = options.tools ?? (await listTools(mcp));
  return tools.map((listed) => ({
    name: listed.name,
    description: listed.description ?? "",
    inputSchema: (listed.inputSchema ?? ANY_OBJECT) as Readonly<Record<string, unknown>>,
    listed,
    async execute(input, given) {
      const args = input as Readonly<Record<string, unknown>>;
      let isSent = false;
      try {
        const callOptions = { ...given, ...options.callOptions?.(listed.name, input) };
        isSent = true;
        const outcome = await mcp.call(listed.name, args, callOptions);
        if (outcome.ok) return toReply(outcome.result);
        if (outcome.inputRequired === undefined) return failedReply(outcome.fault);
        return { ...failedReply(inputNeeded()), inputRequired: outcome.inputRequired };
      } catch (cause) {
        return { ...failedReply(thrownFault(cause, { isSent })), cause };
      }
    },
  }));
}

async function listTools(mcp: Pick<RecourseClient, "tools">): Promise<readonly ListedTool[]> {
  const outcome = await mcp.tools();
  if (!outcome.ok) throw new FaultError(outcome.fault);
  return outcome.result;
}

function toReply<Result>(result: Result): ToolReply<Result> {
  const { parts, structuredContent } = readToolResult(result);
  return {
    isError: false,
    text: joinToolParts(parts),
    parts,
    ...(structuredContent !== undefined && { structuredContent }),
    result,
  };
}

function failedReply(fault: Fault): ToolReply<never> {
  const text = render(fault, { for: "model" });
  return { isError: true, text, parts: [{ type: "text", text }], fault };
}

/** The words of an option that threw are not for the model, unless they are those of a fault. */
function thrownFault(cause: unknown, { isSent }: { readonly isSent: boolean }): Fault {
  if (FaultError.is(cause)) return cause.fault;
  return internal.fault({}, { origin: { layer: "client" }, ...(!isSent && { effect: "none" }) });
}

function inputNeeded(): Fault {
  return fail.approval_required`The server needs an answer of the user before it goes on.`.fault;
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
