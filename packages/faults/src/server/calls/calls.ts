import { toFault } from "../../reasons/unknown/to-fault.ts";
import type { Reporter } from "../incidents/reporter.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerServer } from "../peer.ts";
import { reply } from "../sending/reply.ts";
import { CallRunner } from "./call-runner.ts";
import { Input, refusalFor } from "./input.ts";
import type { Schemas } from "./schemas.ts";

/** Takes the place of the steps that the SDK runs a tool through, whether it was registered before or after. */
export function guardCalls(peer: PeerServer, options: GuardOptions, reporter: Reporter, schemas: Schemas): void {
  const { validateToolInput, executeToolHandler, validateToolOutput, handleAutomaticTaskPolling } = peer;
  const checkOutput: typeof validateToolOutput = (...args) => validateToolOutput.apply(peer, args);
  const runner = new CallRunner({ options, reporter, protocol: peer.server, checkOutput });

  peer.validateToolInput = async (tool, sent, name) => {
    try {
      return new Input({ tool: name, sent, args: await validateToolInput.call(peer, tool, sent, name) });
    } catch (cause) {
      const fault = await refusalFor({ tool, name, sent, cause }, schemas, options);
      return new Input({ tool: name, sent, refused: { fault, cause } });
    }
  };

  peer.executeToolHandler = (tool, checked, context) => {
    const input = checked as Input;
    return runner.answer({
      tool,
      input,
      context,
      handle: () => executeToolHandler.call(peer, tool, input.args, context),
    });
  };

  // Already done above, where a failure can still become an answer.
  peer.validateToolOutput = async () => {};

  // Whatever text still gets here was written by nobody for anybody.
  peer.createToolError = (text) => {
    const place = { method: "tools/call", context: undefined };
    return reply(reporter.release(toFault(undefined), new Error(text), place), place, options, peer.server);
  };

  if (handleAutomaticTaskPolling === undefined) return;
  peer.handleAutomaticTaskPolling = async (tool, request, context) => {
    const { name, arguments: sent } = request.params ?? {};
    const input = (await peer.validateToolInput(tool, sent, String(name))) as Input;
    // The SDK checks the input in there once more, and is given what was found.
    const checked = Object.create(peer, { validateToolInput: { value: async () => input.args } }) as PeerServer;
    const handle = () => handleAutomaticTaskPolling.call(checked, tool, request, context);
    return runner.answer({ tool, input, context, handle });
  };
}
