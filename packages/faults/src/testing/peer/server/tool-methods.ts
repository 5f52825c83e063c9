// The methods `tools/…`: listing, calling and registering tools.
import { FaultError } from "../../../fault/error.ts";
import { isObject, type JsonObject, memberAt, objectAt, stringAt } from "../../../json/read.ts";
import { too_large } from "../../../reasons/library/content.ts";
import { validation_failed } from "../../../reasons/library/core.ts";
import {
  cancelled,
  description_too_long,
  execution_failed,
  invalid_arguments,
  not_found,
  timeout,
} from "../../../reasons/library/tool.ts";
import { untilAborted, withTimeout } from "../clock.ts";
import { textResult } from "../json-rpc.ts";
import { requireRole } from "./auth.ts";
import { missingParameter, pageOf } from "./params.ts";
import type { MethodContext, MethodHandler, PeerTool } from "./state.ts";
import { startTask } from "./tasks.ts";
import { callMetadata } from "./tools.ts";

const listTools: MethodHandler = (context) =>
  pageOf(
    context,
    "tools",
    [...context.state.tools].map(([name, { description, parameters, annotations, outputSchema }]) => ({
      name,
      description,
      inputSchema: inputSchemaOf(parameters),
      ...(annotations !== undefined && { annotations }),
      ...(outputSchema !== undefined && { outputSchema }),
    })),
  );

function inputSchemaOf(parameters: PeerTool["parameters"]): JsonObject {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, type]) => [name, { type: type.replace("?", "") }])),
    required: entries.filter(([, type]) => !type.endsWith("?")).map(([name]) => name),
  };
}

const callTool: MethodHandler = (context) => {
  const { state, request, principal } = context;
  const name = stringAt(request.params, "name");
  if (name === undefined) throw missingParameter("name");
  const tool = state.tools.get(name);
  if (tool === undefined) throw not_found({ tool: name });
  requireRole(principal, tool.role, `tools/call:${name}`);
  const args = objectAt(request.params, "arguments") ?? {};
  checkSizes(args, state.limits.contentBytes);
  checkTypes(name, tool, args);
  if (!isObject(memberAt(request.params, "task"))) return runWithTimeout(name, tool, args, context);
  // A task outlives its request, and the stream on which it could send.
  return startTask(state, (signal) => runTool(name, tool, args, { ...context, signal, send: () => {} }));
};

/** Runs a tool until it ends, the client cancels it, or its time is up. */
function runWithTimeout(name: string, tool: PeerTool, args: JsonObject, context: MethodContext): Promise<JsonObject> {
  const { limits } = context.state;
  const timeoutMs = Math.min(limits.toolMs, callMetadata(context.request).deadlineMs ?? limits.toolMs);
  const timeoutError = () => timeout({ tool: name, timeoutMs });
  return withTimeout(timeoutMs, { signal: context.signal, timeoutError }, async (signal) => {
    const result = await Promise.race([
      runTool(name, tool, args, { ...context, signal }),
      untilAborted(context.signal),
    ]);
    const { aborted, reason } = context.signal;
    if (aborted || result === undefined) throw cancelled({ tool: name, ...(typeof reason === "string" && { reason }) });
    return result;
  });
}

async function runTool(name: string, tool: PeerTool, args: JsonObject, context: MethodContext): Promise<JsonObject> {
  try {
    return await tool.run(args, context);
  } catch (thrown) {
    if (FaultError.is(thrown)) throw thrown;
    throw execution_failed({ tool: name, reason: thrown instanceof Error ? thrown.name : "exception" });
  }
}

function checkSizes(args: JsonObject, maxSize: number): void {
  for (const value of Object.values(args)) {
    const actualSize = typeof value === "string" ? Buffer.byteLength(value) : 0;
    if (actualSize > maxSize) throw too_large({ actualSize, maxSize });
  }
}

function checkTypes(name: string, { parameters }: PeerTool, args: JsonObject): void {
  for (const [parameter, type] of Object.entries(parameters)) {
    const value = memberAt(args, parameter);
    if (value === undefined && type.endsWith("?")) continue;
    if (value === undefined)
      throw invalid_arguments({ tool: name, details: `Missing required parameter: ${parameter}` });
    if (typeof value !== type.replace("?", ""))
      throw invalid_arguments({ tool: name, details: `Wrong type of parameter: ${parameter}` });
  }
}

/** Adds a tool that answers with its description. */
const registerTool: MethodHandler = ({ state, request }) => {
  const name = stringAt(request.params, "name") ?? "";
  const description = stringAt(request.params, "description") ?? "";
  const { descriptionLength } = state.limits;
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) throw validation_failed({ field: "name", constraint: "tool_name" });
  if (description.length > descriptionLength)
    throw description_too_long({ actualLength: description.length, maxLength: descriptionLength });
  state.tools.set(name, { description, parameters: {}, run: () => textResult(description) });
  return {};
};

export const TOOL_METHODS = {
  "tools/list": listTools,
  "tools/call": callTool,
  "tools/register": registerTool,
} as const satisfies Record<string, MethodHandler>;
