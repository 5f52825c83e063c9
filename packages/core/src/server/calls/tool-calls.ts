import type { Fault } from "../../fault/fault.ts";
import { internal } from "../../reasons/library/core.ts";
import { capability_not_supported, missing_client_capability } from "../../reasons/library/protocol.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { sdkReason } from "../../reasons/thrown/sdk-errors.ts";
import { issuesFor } from "../../schema/issues.ts";
import { askValidator } from "../../schema/messages.ts";
import type { JsonSchema } from "../../schema/scope.ts";
import type { SdkRequest, SdkServer, SdkTool, SdkToolServer } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import { reply } from "../replies/reply.ts";
import type { PendingFailure, Reporter } from "../reporter.ts";
import { thrownFailure } from "../requests/map-sdk-error.ts";
import { ToolCallRunner, ToolInput } from "./call-runner.ts";

export function guardToolCalls(server: SdkToolServer, options: GuardOptions, reporter: Reporter): void {
  const { validateToolInput, executeToolHandler, validateToolOutput, handleAutomaticTaskPolling } = server;
  const checkOutput: typeof validateToolOutput = (...args) => validateToolOutput.apply(server, args);
  const runner = new ToolCallRunner({ options, reporter, protocol: server.server, checkOutput });

  server.validateToolInput = async (tool, sent, name) => {
    const call = { tool: name, sent, startedMs: reporter.monotonic() };
    try {
      return new ToolInput({ ...call, args: await validateToolInput.call(server, tool, sent, name) });
    } catch (cause) {
      const refused = await refusedInputFailure({ tool, name, sent, cause }, server, options);
      return new ToolInput({ ...call, refused });
    }
  };

  server.executeToolHandler = (tool, checked, context) => {
    const input = checked as ToolInput;
    const handle = (timed: unknown) => executeToolHandler.call(server, tool, input.args, timed);
    return runner.answer({ tool, input, context, handle });
  };

  // Done in the runner, where a failure can still become an answer.
  server.validateToolOutput = async () => {};

  // Text that still gets here was not written for callers.
  server.createToolError = (text) => {
    const place = { method: "tools/call", context: undefined };
    const failure = { fault: internal.fault(), cause: new Error(text), textHidden: true };
    return reply(reporter.finish(failure, place).wire);
  };

  if (handleAutomaticTaskPolling === undefined) return;
  server.handleAutomaticTaskPolling = async (tool, request, context) => {
    const { name, arguments: sent } = request.params ?? {};
    const input = (await server.validateToolInput(tool, sent, String(name))) as ToolInput;
    // The SDK checks the input once more in there, and gets what was found here.
    const checked = Object.create(server, { validateToolInput: { value: async () => input.args } }) as SdkToolServer;
    const handle = (timed: unknown) => handleAutomaticTaskPolling.call(checked, tool, request, timed);
    return runner.answer({ tool, input, context, handle });
  };
}

// Tasks of version 1 of the SDK, where a call may ask to become a task.

interface RefusedInput {
  readonly tool: SdkTool;
  readonly name: string;
  readonly sent: unknown;
  readonly cause: unknown;
}

/** Why an input is refused. The SDK's own refusal is about the arguments; anything else was thrown by the schema itself. */
async function refusedInputFailure(
  { tool, name, sent, cause }: RefusedInput,
  server: SdkServer,
  options: GuardOptions,
): Promise<PendingFailure> {
  if (sdkReason(cause) === undefined) return thrownFailure(cause, options, sent);
  const args = sent ?? {};
  const { paths, ...reported } = await askValidator(tool.inputSchema, args);
  const schema = await publishedSchema(server, name);
  const issues = issuesFor(args, schema, paths, reported);
  return { fault: invalid_arguments.fault({ tool: name }, issues.length > 0 ? { issues } : {}), cause };
}

/** Published schemas by the schema that a tool was registered with; over HTTP a server may live for one request only. */
const published = new WeakMap<object, JsonSchema>();

/** The input schema of a tool as the server lists it, since only the SDK knows how it is made. */
async function publishedSchema(server: SdkServer, tool: string): Promise<JsonSchema | undefined> {
  const registered = server._registeredTools[tool]?.inputSchema;
  const isObjectSchema = typeof registered === "object" && registered !== null;
  const known = isObjectSchema ? published.get(registered) : undefined;
  if (known !== undefined) return known;
  try {
    const listed = (await listOnly(server, tool)) as
      | { readonly tools?: readonly Readonly<Record<string, unknown>>[] }
      | undefined;
    const schema = listed?.tools?.find((one) => one["name"] === tool)?.["inputSchema"] as JsonSchema | undefined;
    if (isObjectSchema && typeof schema === "object") published.set(registered, schema);
    return schema;
  } catch {
    return undefined;
  }
}

/**
 * Lists one tool. The SDK's handler reads its registry at once and converts the schema of every tool in it, which takes long
 * on a server with hundreds of tools; so for that moment the registry holds this one alone.
 */
function listOnly(server: SdkServer, tool: string): unknown {
  const list = server.server._requestHandlers.get("tools/list");
  const own = Object.getOwnPropertyDescriptor(server, "_registeredTools");
  const only = server._registeredTools[tool];
  if (own?.configurable !== true || only === undefined) return list?.({ method: "tools/list" }, {});
  Object.defineProperty(server, "_registeredTools", { ...own, value: { [tool]: only } });
  try {
    return list?.({ method: "tools/list" }, {});
  } finally {
    Object.defineProperty(server, "_registeredTools", own);
  }
}

/** The code that the protocol fixes for a call of a tool that only runs as a task. */
export const TASK_ONLY_CODE = -32601;

/** What is wrong with a call that should have asked to become a task; undefined if nothing is. */
export function taskFault({ method, params }: SdkRequest, server: SdkServer): Fault | undefined {
  if (method !== "tools/call" || server.handleAutomaticTaskPolling === undefined) return undefined;
  const tool = server._registeredTools[String(params?.["name"])];
  if (tool?.execution?.taskSupport !== "required" || params?.["task"] !== undefined) return undefined;
  return missing_client_capability.fault({ capabilities: ["tasks"] });
}

export function guardTasks(server: SdkServer, reporter: Reporter): void {
  const protocol = server.server;
  const assert = protocol.assertTaskHandlerCapability?.bind(protocol);
  if (assert === undefined) return;
  protocol.assertTaskHandlerCapability = (method) => {
    try {
      assert(method);
    } catch (cause) {
      const place = { method, context: undefined, asError: true } as const;
      const fault = capability_not_supported.fault({ capability: "tasks" });
      reply(reporter.finish({ fault, cause }, place).wire);
    }
  };
}
