import type { Fault } from "../../fault/fault.ts";
import { capability_not_supported, missing_client_capability } from "../../reasons/library/protocol.ts";
import type { Reporter } from "../incidents/reporter.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerRequest, PeerServer } from "../peer.ts";
import { reply } from "../sending/reply.ts";

// Tasks of version 1 of the SDK, where a call may ask to become one.

/** The code that the protocol fixes for a call of a tool that runs as a task only. */
export const TASK_ONLY_CODE = -32601;

/** What is wrong with a call that should have asked to become a task. */
export function taskRefusal({ method, params }: PeerRequest, peer: PeerServer): Fault | undefined {
  if (method !== "tools/call" || peer.handleAutomaticTaskPolling === undefined) return undefined;
  const tool = peer._registeredTools[String(params?.["name"])];
  if (tool?.execution?.taskSupport !== "required" || params?.["task"] !== undefined) return undefined;
  return missing_client_capability.fault({ capabilities: ["tasks"] });
}

/** Says what the SDK finds wrong with a call that asks to become a task where there are none. */
export function guardTasks(peer: PeerServer, options: GuardOptions, reporter: Reporter): void {
  const protocol = peer.server;
  const assert = protocol.assertTaskHandlerCapability?.bind(protocol);
  if (assert === undefined) return;
  protocol.assertTaskHandlerCapability = (method) => {
    try {
      assert(method);
    } catch (cause) {
      const place = { method, context: undefined, asError: true } as const;
      reply(
        reporter.release(capability_not_supported.fault({ capability: "tasks" }), cause, place),
        place,
        options,
        protocol,
      );
    }
  };
}
