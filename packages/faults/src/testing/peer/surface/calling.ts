import { isJson, type Json, memberAt, objectAt, stringAt } from "../../../dialects/wire.ts";
import { FaultError } from "../../../fault/error.ts";
import { too_large } from "../../../reasons/library/content.ts";
import { validation_failed } from "../../../reasons/library/core.ts";
import { invalid_params } from "../../../reasons/library/protocol.ts";
import {
  cancelled,
  description_too_long,
  execution_failed,
  invalid_arguments,
  not_found,
  timeout,
} from "../../../reasons/library/tool.ts";
import { aborted, within } from "../clock.ts";
import { textResult } from "../message.ts";
import { needRole } from "./auth.ts";
import { pageOf } from "./pages.ts";
import { startTask } from "./tasks.ts";
import { callFacts } from "./tools.ts";
import type { Context, Method, Tool } from "./world.ts";

const list: Method = (context) =>
  pageOf(
    context,
    "tools",
    [...context.world.tools].map(([name, { description, parameters, annotations, outputSchema }]) => ({
      name,
      description,
      inputSchema: schemaOf(parameters),
      ...(annotations !== undefined && { annotations }),
      ...(outputSchema !== undefined && { outputSchema }),
    })),
  );

function schemaOf(parameters: Tool["parameters"]): Json {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, type]) => [name, { type: type.replace("?", "") }])),
    required: entries.filter(([, type]) => !type.endsWith("?")).map(([name]) => name),
  };
}

const call: Method = (context) => {
  const { world, ask, who } = context;
  const name = stringAt(ask.params, "name");
  if (name === undefined) throw missing("name");
  const tool = world.tools.get(name);
  if (tool === undefined) throw not_found({ tool: name });
  needRole(who, tool.role, `tools/call:${name}`);
  const args = objectAt(ask.params, "arguments") ?? {};
  checkSizes(args, world.limits.contentBytes);
  checkArguments(name, tool, args);
  const wanted = memberAt(ask.params, "task");
  if (!isJson(wanted)) return timed(name, tool, args, context);
  // A task outlives its request, and with it the stream to send on.
  return startTask(world, (signal) => runTool(name, tool, args, { ...context, signal, send: () => {} }));
};

/** Runs a tool until it ends, the client cancels it, or its time is over. */
function timed(name: string, tool: Tool, args: Json, context: Context): Promise<Json> {
  const { limits } = context.world;
  const timeoutMs = Math.min(limits.toolMs, callFacts(context).deadlineMs ?? limits.toolMs);
  const late = () => timeout({ tool: name, timeoutMs });
  return within(timeoutMs, { signal: context.signal, late }, async (signal) => {
    const result = await Promise.race([runTool(name, tool, args, { ...context, signal }), aborted(context.signal)]);
    const { aborted: isOver, reason } = context.signal;
    if (isOver || result === undefined) throw cancelled({ tool: name, ...(typeof reason === "string" && { reason }) });
    return result;
  });
}

async function runTool(name: string, tool: Tool, args: Json, context: Context): Promise<Json> {
  try {
    return await tool.run(args, context);
  } catch (thrown) {
    if (FaultError.is(thrown)) throw thrown;
    throw execution_failed({ tool: name, reason: thrown instanceof Error ? thrown.name : "exception" });
  }
}

function checkSizes(args: Json, maxSize: number): void {
  for (const value of Object.values(args)) {
    const actualSize = typeof value === "string" ? Buffer.byteLength(value) : 0;
    if (actualSize > maxSize) throw too_large({ actualSize, maxSize });
  }
}

function checkArguments(name: string, { parameters }: Tool, args: Json): void {
  for (const [parameter, type] of Object.entries(parameters)) {
    const value = memberAt(args, parameter);
    if (value === undefined && type.endsWith("?")) continue;
    if (value === undefined)
      throw invalid_arguments({ tool: name, details: `Missing required parameter: ${parameter}` });
    if (typeof value !== type.replace("?", ""))
      throw invalid_arguments({ tool: name, details: `Wrong type of parameter: ${parameter}` });
  }
}

/** Adds a tool that says one sentence. */
const register: Method = ({ world, ask }) => {
  const name = stringAt(ask.params, "name") ?? "";
  const description = stringAt(ask.params, "description") ?? "";
  const { descriptionLength } = world.limits;
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) throw validation_failed({ field: "name", constraint: "tool_name" });
  if (description.length > descriptionLength)
    throw description_too_long({ actualLength: description.length, maxLength: descriptionLength });
  world.tools.set(name, { description, parameters: {}, run: () => textResult(description) });
  return {};
};

/** The fault of a parameter that a method cannot do without. */
export function missing(parameter: string): Error {
  return invalid_params({}, { quote: { text: `Missing required parameter: ${parameter}`, from: "peer" } });
}

export const TOOL_METHODS = {
  "tools/list": list,
  "tools/call": call,
  "tools/register": register,
} as const satisfies Record<string, Method>;
