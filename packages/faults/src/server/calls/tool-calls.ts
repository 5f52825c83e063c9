import { internal } from "../../reasons/library/core.ts";
import type { SdkServer } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import { reply } from "../replies/reply.ts";
import type { Reporter } from "../reporter.ts";
import { CallRunner } from "./call-runner.ts";
import { inputFailureOf, ToolInput } from "./tool-input.ts";

/** Replaces the steps in which the SDK calls a tool, whether the tool was registered before or after. */
export function guardToolCalls(server: SdkServer, options: GuardOptions, reporter: Reporter): void {
  const { validateToolInput, executeToolHandler, validateToolOutput, handleAutomaticTaskPolling } = server;
  const checkOutput: typeof validateToolOutput = (...args) => validateToolOutput.apply(server, args);
  const runner = new CallRunner({ options, reporter, protocol: server.server, checkOutput });

  server.validateToolInput = async (tool, sent, name) => {
    const call = { tool: name, sent, startedMs: reporter.now() };
    try {
      return new ToolInput({ ...call, args: await validateToolInput.call(server, tool, sent, name) });
    } catch (cause) {
      const refused = await inputFailureOf({ tool, name, sent, cause }, server, options);
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
    return reply(reporter.finalize(failure, place), place, options, server.server);
  };

  if (handleAutomaticTaskPolling === undefined) return;
  server.handleAutomaticTaskPolling = async (tool, request, context) => {
    const { name, arguments: sent } = request.params ?? {};
    const input = (await server.validateToolInput(tool, sent, String(name))) as ToolInput;
    // The SDK checks the input once more in there, and gets what was found here.
    const checked = Object.create(server, { validateToolInput: { value: async () => input.args } }) as SdkServer;
    const handle = (timed: unknown) => handleAutomaticTaskPolling.call(checked, tool, request, timed);
    return runner.answer({ tool, input, context, handle });
  };
}
