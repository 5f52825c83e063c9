import type { Fault } from "../../fault/fault.ts";
import { internal } from "../../reasons/library/core.ts";
import { capability_not_supported, missing_client_capability } from "../../reasons/library/protocol.ts";
import type { SdkRequest, SdkServer, SdkToolServer } from "../../sdk/server.ts";
import type { LateReporter } from "../first-failure.ts";
import type { GuardOptions } from "../options.ts";
import { LateError, reply } from "../replies/reply.ts";
import { ToolCallRunner, ToolInput } from "./call-runner.ts";

export function guardToolCalls(server: SdkToolServer, options: GuardOptions, reporter: LateReporter): void {
  const { validateToolInput, executeToolHandler, validateToolOutput, handleAutomaticTaskPolling } = server;
  const checkOutput: typeof validateToolOutput = (...args) => validateToolOutput.apply(server, args);
  const runner = new ToolCallRunner({ options, reporter, protocol: server.server, checkOutput });

  server.validateToolInput = async (tool, sent, name) => {
    const call = { tool: name, sent, startedMs: reporter.monotonic() };
    try {
      return new ToolInput({ ...call, args: await validateToolInput.call(server, tool, sent, name) });
    } catch (cause) {
      const { code } = await reporter.load();
      const refused = await code.refusedInputFailure({ tool, name, sent, cause }, server, options);
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
  server.createToolError = async (text) => {
    const place = { method: "tools/call", context: undefined };
    const failure = { fault: internal.fault(), cause: new Error(text), textHidden: true };
    return reply((await reporter.finish(failure, place)).wire);
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

/** The code that the protocol fixes for a call of a tool that only runs as a task. */
export const TASK_ONLY_CODE = -32601;

/** What is wrong with a call that should have asked to become a task; undefined if nothing is. */
export function taskFault({ method, params }: SdkRequest, server: SdkServer): Fault | undefined {
  if (method !== "tools/call" || server.handleAutomaticTaskPolling === undefined) return undefined;
  const tool = server._registeredTools[String(params?.["name"])];
  if (tool?.execution?.taskSupport !== "required" || params?.["task"] !== undefined) return undefined;
  return missing_client_capability.fault({ capabilities: ["tasks"] });
}

export function guardTasks(server: SdkServer): void {
  const protocol = server.server;
  const assert = protocol.assertTaskHandlerCapability?.bind(protocol);
  if (assert === undefined) return;
  protocol.assertTaskHandlerCapability = (method) => {
    try {
      assert(method);
    } catch (cause) {
      const place = { method, context: undefined, asError: true } as const;
      const fault = capability_not_supported.fault({ capability: "tasks" });
      throw new LateError({ fault, cause }, place);
    }
  };
}
