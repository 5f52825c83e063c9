import type { Fault } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";
import { not_found as completion_not_found } from "../../reasons/library/completion.ts";
import { argument_missing } from "../../reasons/library/prompt.ts";
import { invalid_params, request_state_invalid } from "../../reasons/library/protocol.ts";
import { not_found as resource_not_found } from "../../reasons/library/resource.ts";
import { not_found as task_not_found } from "../../reasons/library/task.ts";
import { output_invalid } from "../../reasons/library/tool.ts";
import { peek } from "../../reasons/unknown/peek.ts";
import type { PeerRequest, PeerServer } from "../peer.ts";

// The SDK has one code for many refusals. Once the request itself was looked at, the method tells which one it is.

type Params = Readonly<Record<string, unknown>>;
type Meaning = (params: Params, peer: PeerServer) => Fault | Promise<Fault>;

const MEANINGS: Readonly<Record<string, Meaning>> = {
  "tools/call": () => output_invalid.fault(),
  "resources/read": missingResource,
  "prompts/get": promptRefusal,
  "completion/complete": () => completion_not_found.fault(),
  "tasks/get": missingTask,
  "tasks/result": missingTask,
};

/** What was thrown by a handler, read as what its method makes of it. */
export async function meaningOf(request: PeerRequest, fault: Fault, cause: unknown, peer: PeerServer): Promise<Fault> {
  // What an author threw on purpose says itself what it means.
  if (fault.basis !== "mapped") return fault;
  const { method, params = {} } = request;
  if (fault.reason === "resource/not_found" && method === "resources/read") return missingResource(params);
  if (fault.reason !== "protocol/invalid_params") return fault;
  // The state of an exchange is checked before any handler runs, so this comes first.
  if (peek(peek(cause, "data"), "reason") === "invalid_request_state") return request_state_invalid.fault();
  const meaning = Object.hasOwn(MEANINGS, method) ? MEANINGS[method] : undefined;
  return (await meaning?.(params, peer)) ?? fault;
}

function missingResource({ uri }: Params): Fault {
  return resource_not_found.fault(typeof uri === "string" ? { uri } : {});
}

function missingTask({ taskId }: Params): Fault {
  return task_not_found.fault(typeof taskId === "string" ? { taskId } : {});
}

/** The prompt is there, so its arguments were refused: those that it needs and did not get are named. */
async function promptRefusal({ name, arguments: given }: Params, peer: PeerServer): Promise<Fault> {
  const needed = await neededBy(String(name), peer);
  const missing = needed.filter((argument) => peek(given, argument) === undefined);
  const [first] = missing;
  if (first === undefined) return invalid_params.fault();
  const issues = missing.map((argument) => ({ pointer: toPointer([argument]), rule: "required" }) as const);
  return argument_missing.fault({ prompt: String(name), argument: first }, { issues });
}

interface Listed {
  readonly name: string;
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

/** The arguments that a prompt cannot do without, asked of the server's own list. */
async function neededBy(name: string, { server }: PeerServer): Promise<string[]> {
  try {
    const list = server._requestHandlers.get("prompts/list");
    const listed = (await list?.({ method: "prompts/list" }, {})) as
      | { readonly prompts: readonly Listed[] }
      | undefined;
    const known = listed?.prompts.find((one) => one.name === name)?.arguments ?? [];
    return known.filter(({ required }) => required === true).map((argument) => argument.name);
  } catch {
    return [];
  }
}
