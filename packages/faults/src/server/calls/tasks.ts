import type { Fault } from "../../fault/fault.ts";
import { capability_not_supported, missing_client_capability } from "../../reasons/library/protocol.ts";
import type { SdkRequest, SdkServer } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import { reply } from "../replies/reply.ts";
import type { Reporter } from "../reporter.ts";

// Tasks of version 1 of the SDK, where a call may ask to become a task.

/** The code that the protocol fixes for a call of a tool that only runs as a task. */
export const TASK_ONLY_CODE = -32601;

/** What is wrong with a call that should have asked to become a task; undefined where nothing is. */
export function taskFaultOf({ method, params }: SdkRequest, server: SdkServer): Fault | undefined {
  if (method !== "tools/call" || server.handleAutomaticTaskPolling === undefined) return undefined;
  const tool = server._registeredTools[String(params?.["name"])];
  if (tool?.execution?.taskSupport !== "required" || params?.["task"] !== undefined) return undefined;
  return missing_client_capability.fault({ capabilities: ["tasks"] });
}

/** Answers calls that ask to become a task at a server without tasks. */
export function guardTasks(server: SdkServer, options: GuardOptions, reporter: Reporter): void {
  const protocol = server.server;
  const assert = protocol.assertTaskHandlerCapability?.bind(protocol);
  if (assert === undefined) return;
  protocol.assertTaskHandlerCapability = (method) => {
    try {
      assert(method);
    } catch (cause) {
      const place = { method, context: undefined, asError: true } as const;
      const fault = capability_not_supported.fault({ capability: "tasks" });
      reply(reporter.finalize({ fault, cause }, place), place, options, protocol);
    }
  };
}
