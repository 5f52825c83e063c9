import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { render } from "../../render/render.ts";
import type { CallOptions } from "../options.ts";
import type { RecourseClient } from "../recourse.ts";
import type { ClientLike, ListedTool } from "../types.ts";
import { textOf } from "./text.ts";

/** What a tool's `execute` gives: text for the model, and the fault where the call failed. */
export interface AiOutput {
  readonly text: string;
  readonly fault?: Fault;
}

/** A tool as the Vercel AI SDK takes it; `Schema` is what its `jsonSchema` makes. */
export interface AiTool<Schema> {
  type: "dynamic";
  description?: string;
  inputSchema: Schema;
  execute(input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<AiOutput>;
  toModelOutput(options: { readonly output: unknown }): { type: "text" | "error-text"; value: string };
}

/** How tools are made for the AI SDK. */
export interface AiToolsOptions<Schema> {
  /** `jsonSchema` of the package `ai`, which marks a schema as one in a way that only that package knows. */
  readonly jsonSchema: (schema: never) => Schema;
  /** The tools to offer, for example some of the server's; all of them unless told. */
  readonly tools?: readonly ListedTool[];
  /** What a call says besides its arguments, such as its key. */
  readonly callOptions?: (tool: string, input: unknown) => CallOptions;
}

/** A server that lists no schema takes anything. */
const ANYTHING = { type: "object" };

/**
 * The server's tools for `generateText({ tools })`: a failure becomes text that a model can act on, never a throw.
 * It rejects with a FaultError only when the tools have to be listed and cannot be.
 */
export async function aiTools<Schema, C extends ClientLike>(
  mcp: RecourseClient<C>,
  options: AiToolsOptions<Schema>,
): Promise<Record<string, AiTool<Schema>>> {
  const tools = options.tools ?? (await listed(mcp));
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiTool(mcp, tool, options)]));
}

async function listed<C extends ClientLike>(mcp: RecourseClient<C>): Promise<readonly ListedTool[]> {
  const outcome = await mcp.tools();
  if (outcome.ok === false) throw new FaultError(outcome.fault);
  return outcome.ok === true ? outcome.result : [];
}

function toAiTool<Schema, C extends ClientLike>(
  mcp: RecourseClient<C>,
  tool: ListedTool,
  { jsonSchema, callOptions }: AiToolsOptions<Schema>,
): AiTool<Schema> {
  return {
    type: "dynamic",
    ...(tool.description !== undefined && { description: tool.description }),
    inputSchema: jsonSchema((tool.inputSchema ?? ANYTHING) as never),
    async execute(input, { abortSignal }) {
      const own = abortSignal === undefined ? {} : { signal: abortSignal };
      const args = input as Readonly<Record<string, unknown>>;
      const outcome = await mcp.call(tool.name, args, { ...own, ...callOptions?.(tool.name, input) });
      if (outcome.ok !== false) return { text: textOf(outcome.result) };
      return { text: render(outcome.fault, { for: "model" }), fault: outcome.fault };
    },
    toModelOutput({ output }) {
      const { text, fault } = output as AiOutput;
      return { type: fault === undefined ? "text" : "error-text", value: text };
    },
  };
}
