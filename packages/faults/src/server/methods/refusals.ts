import type { Fault } from "../../fault/fault.ts";
import { nearest } from "../../fault/nearest.ts";
import { invalid_reference } from "../../reasons/library/completion.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import { not_found as prompt_not_found } from "../../reasons/library/prompt.ts";
import { invalid_params, malformed_call } from "../../reasons/library/protocol.ts";
import { invalid_uri } from "../../reasons/library/resource.ts";
import { not_found as tool_not_found } from "../../reasons/library/tool.ts";
import type { PeerRequest, PeerServer } from "../peer.ts";
import { isList, isReference, isWellFormed } from "./shapes.ts";

/** What is wrong with the request itself, before anything of the server's runs. */
export function refusalOf(request: PeerRequest, peer: PeerServer): Fault | undefined {
  const { method } = request;
  if (!isWellFormed(method, request.params)) {
    if (isList(method)) return invalid_cursor.fault();
    if (method === "completion/complete" && !isReference(request.params?.["ref"])) return invalid_reference.fault();
    return (method === "tools/call" ? malformed_call : invalid_params).fault();
  }
  const { name, uri } = request.params ?? {};
  if (method === "resources/read" && !URL.canParse(String(uri))) return invalid_uri.fault();
  if (typeof name !== "string") return undefined;
  // Where the SDK has no handler of its own, its registry is not what decides.
  if (method === "tools/call" && peer._toolHandlersInitialized !== false) {
    const { _registeredTools: tools } = peer;
    return isThere(tools, name) ? undefined : tool_not_found.fault({ tool: name }, candidates(tools, name));
  }
  if (method === "prompts/get" && peer._promptHandlersInitialized !== false) {
    const { _registeredPrompts: prompts } = peer;
    return isThere(prompts, name) ? undefined : prompt_not_found.fault({ prompt: name }, candidates(prompts, name));
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
