import { firstText } from "../../dialects/wire.ts";
import { unanswered } from "../calls/asking.ts";
import { TASK_ONLY_CODE, taskRefusal } from "../calls/tasks.ts";
import { foreignFault } from "../incidents/foreign.ts";
import type { Reporter } from "../incidents/reporter.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerHandler, PeerRequest, PeerServer } from "../peer.ts";
import { setAside } from "../sending/aside.ts";
import { reply, WireError } from "../sending/reply.ts";
import { tellLongDescriptions } from "./descriptions.ts";
import { refusalOf } from "./refusals.ts";
import { meaningOf } from "./refused.ts";

/** Wraps handlers where the SDK looks for them, so that it does not matter when they were registered or replaced. */
export function guardMethods(peer: PeerServer, options: GuardOptions, reporter: Reporter): void {
  const protocol = peer.server;
  const handlers = protocol._requestHandlers;
  handlers.get = (method) => {
    const found = Map.prototype.get.call(handlers, method) as PeerHandler | undefined;
    const handler = found ?? protocol.fallbackRequestHandler;
    return handler && guarded(handler, peer, options, reporter);
  };
}

function guarded(handler: PeerHandler, peer: PeerServer, options: GuardOptions, reporter: Reporter): PeerHandler {
  return async (request, context) => {
    const { method } = request;
    const place = { method, tool: toolOf(request), context };
    try {
      const refused = refusalOf(request, peer);
      if (refused !== undefined) return reply(reporter.release(refused, undefined, place), place, options, peer.server);
      const taskOnly = taskRefusal(request, peer);
      if (taskOnly !== undefined) {
        const fixed = { ...place, code: TASK_ONLY_CODE };
        return reply(reporter.release(taskOnly, undefined, place), fixed, options, peer.server);
      }
      if (method === "tools/list") tellLongDescriptions(peer._registeredTools, reporter);
      const result = await handler(request, context);
      if (method !== "tools/call") return result;
      const error = setAside(context);
      if (error !== undefined) throw error;
      const failed = unanswered(result, context, peer.server);
      if (failed === undefined) return result;
      const cause = new Error(firstText(result));
      return reply(reporter.release(failed, cause, place), place, options, peer.server);
    } catch (cause) {
      const error = cause instanceof WireError ? cause : setAside(context);
      if (error !== undefined) throw error;
      const fault = await meaningOf(request, foreignFault(cause, options), cause, peer);
      return reply(reporter.release(fault, cause, place), place, options, peer.server);
    }
  };
}

function toolOf({ method, params }: PeerRequest): string | undefined {
  const name = params?.["name"];
  return method === "tools/call" && typeof name === "string" ? name : undefined;
}
