import type { Fault } from "../fault/fault.ts";
import { nearest } from "../fault/nearest.ts";
import { invalid_cursor } from "../reasons/library/pagination.ts";
import { not_found as prompt_not_found } from "../reasons/library/prompt.ts";
import { invalid_params, malformed_call, request_state_invalid } from "../reasons/library/protocol.ts";
import { invalid_uri, not_found as resource_not_found } from "../reasons/library/resource.ts";
import { output_invalid, not_found as tool_not_found } from "../reasons/library/tool.ts";
import { peek } from "../reasons/unknown/peek.ts";
import { foreignFault } from "./foreign.ts";
import type { GuardOptions } from "./options.ts";
import type { PeerHandler, PeerRequest, PeerServer } from "./peer.ts";
import { reply, WireError } from "./reply.ts";
import type { Reporter } from "./reporter.ts";
import { isList, isWellFormed } from "./shapes.ts";

/** Wraps the handlers of all methods, those there and those to come. */
export function guardMethods(peer: PeerServer, options: GuardOptions, reporter: Reporter): void {
  const handlers = peer.server._requestHandlers;
  const wrap = (method: string, handler: PeerHandler): PeerHandler => guarded(method, handler, peer, options, reporter);
  for (const [method, handler] of handlers) handlers.set(method, wrap(method, handler));
  handlers.set = (method, handler) =>
    Map.prototype.set.call(handlers, method, wrap(method, handler)) as typeof handlers;
}

function guarded(
  method: string,
  handler: PeerHandler,
  peer: PeerServer,
  options: GuardOptions,
  reporter: Reporter,
): PeerHandler {
  return async (request, context) => {
    const place = { method, tool: nameOf(method, request), context };
    try {
      const refused = refusalOf(request, method, peer);
      if (refused !== undefined) return reply(reporter.release(refused, undefined, place), place, options, peer.server);
      return await handler(request, context);
    } catch (cause) {
      if (cause instanceof WireError) throw cause;
      const fault = readAs(method, request, foreignFault(cause, options), cause);
      return reply(reporter.release(fault, cause, place), place, options, peer.server);
    }
  };
}

/** What is wrong with the request itself, before anything of the server's runs. */
function refusalOf(request: PeerRequest, method: string, peer: PeerServer): Fault | undefined {
  if (!isWellFormed(method, request.params)) {
    if (isList(method)) return invalid_cursor.fault();
    return (method === "tools/call" ? malformed_call : invalid_params).fault();
  }
  const { name, uri } = request.params ?? {};
  if (method === "resources/read" && !URL.canParse(String(uri))) return invalid_uri.fault();
  if (typeof name !== "string") return undefined;
  if (method === "tools/call" && !isThere(peer._registeredTools, name)) {
    return tool_not_found.fault({ tool: name }, candidates(peer._registeredTools, name));
  }
  if (method === "prompts/get" && !isThere(peer._registeredPrompts, name)) {
    return prompt_not_found.fault({ prompt: name }, candidates(peer._registeredPrompts, name));
  }
  return undefined;
}

type Registry = Readonly<Record<string, { readonly enabled?: boolean }>>;

/** Unknown and disabled look alike; what every object inherits is nobody's tool. */
function isThere(registry: Registry, name: string): boolean {
  return Object.hasOwn(registry, name) && registry[name]?.enabled !== false;
}

function candidates(registry: Registry, name: string) {
  const near = nearest(
    name,
    Object.keys(registry).filter((one) => isThere(registry, one)),
  );
  return near.length === 0 ? {} : { recourse: [{ do: "choose_another", candidates: near }] as const };
}

/** The SDK has one code for many refusals; once the request itself was looked at, the method tells which one it is. */
function readAs(method: string, request: PeerRequest, fault: Fault, cause: unknown): Fault {
  const refused = fault.reason === "protocol/invalid_params";
  // The state of an exchange is checked before any handler runs, so this comes first.
  if (refused && peek(peek(cause, "data"), "reason") === "invalid_request_state") return request_state_invalid.fault();
  if (refused && method === "tools/call") return output_invalid.fault();
  const missing = fault.reason === "resource/not_found" && fault.basis === "mapped";
  const uri = request.params?.["uri"];
  if (method !== "resources/read" || typeof uri !== "string") return fault;
  return refused || missing ? resource_not_found.fault({ uri }) : fault;
}

function nameOf(method: string, request: PeerRequest): string | undefined {
  const name = request.params?.["name"];
  return method === "tools/call" && typeof name === "string" ? name : undefined;
}
