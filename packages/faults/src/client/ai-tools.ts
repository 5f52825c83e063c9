import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { render } from "../render/render.ts";
import type { ClientLike, ListedTool } from "../sdk/client-types.ts";
import { type AiModelOutput, modelOutputOf } from "./ai-content.ts";
import type { CallOptions } from "./options.ts";
import type { RecourseClient } from "./recourse.ts";

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
  execute(input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<AiOutput>;
  /** What the model reads of the output. */
  toModelOutput(options: { readonly output: unknown }): AiModelOutput;
}

/** Options of `aiTools`. */
export interface AiToolsOptions<Schema> {
  /** `jsonSchema` of the package `ai`, which marks a schema in a way that only that package knows. */
  readonly jsonSchema: (schema: never) => Schema;
  /** The tools to offer, for example some of the server's. @default all of them */
  readonly tools?: readonly ListedTool[];
  /** Options of one call, such as its idempotency key. @default none */
  readonly callOptions?: (tool: string, input: unknown) => CallOptions;
}

/** The schema of a tool whose server lists none: any object. */
const ANY_OBJECT = { type: "object" };

/**
 * The server's tools for `generateText({ tools })` of the Vercel AI SDK. A failed call becomes text that says what to do
 * next, never a throw; images and structured content are kept. It rejects with a FaultError only where the tools have to be
 * listed and cannot be.
 *
 * @example
 * import { generateText, jsonSchema } from "ai";
 *
 * const tools = await aiTools(mcp, { jsonSchema });
 * const { text } = await generateText({ model, tools, prompt: "Cancel order 7." });
 */
export async function aiTools<Schema, C extends ClientLike>(
  mcp: RecourseClient<C>,
  options: AiToolsOptions<Schema>,
): Promise<Record<string, AiTool<Schema>>> {
  const tools = options.tools ?? (await listedBy(mcp));
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiTool(mcp, tool, options)]));
}

async function listedBy<C extends ClientLike>(mcp: RecourseClient<C>): Promise<readonly ListedTool[]> {
  const outcome = await mcp.tools();
  if (!outcome.ok) throw new FaultError(outcome.fault);
  return outcome.result;
}

function toAiTool<Schema, C extends ClientLike>(
  mcp: RecourseClient<C>,
  tool: ListedTool,
  { jsonSchema, callOptions }: AiToolsOptions<Schema>,
): AiTool<Schema> {
  return {
    type: "dynamic",
    ...(tool.description !== undefined && { description: tool.description }),
    inputSchema: jsonSchema((tool.inputSchema ?? ANY_OBJECT) as never),
    async execute(input, { abortSignal }) {
      const own = abortSignal === undefined ? {} : { signal: abortSignal };
      const args = input as Readonly<Record<string, unknown>>;
      const outcome = await mcp.call(tool.name, args, { ...own, ...callOptions?.(tool.name, input) });
      if (outcome.ok) return { result: outcome.result };
      return { fault: outcome.fault, text: render(outcome.fault, { for: "model" }) };
    },
    toModelOutput({ output }) {
      const made = output as AiOutput;
      return made.fault === undefined ? modelOutputOf(made.result) : { type: "error-text", value: made.text };
    },
  };
}
