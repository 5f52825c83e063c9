import { mcp } from "../../dialects/mcp/mcp.ts";
import type { Fault } from "../../fault/fault.ts";
import { missing_client_capability } from "../../reasons/library/protocol.ts";
import { peek } from "../../reasons/unknown/peek.ts";
import { snapshot } from "../../reasons/unknown/snapshot.ts";
import { toFault } from "../../reasons/unknown/to-fault.ts";
import type { GuardOptions } from "../options.ts";

/** Reasons whose code demands data beside it: the client acts on those, so they have to get there. */
const CODES: Readonly<Record<string, number>> = {
  "elicitation/url_required": -32042,
  "protocol/missing_client_capability": -32021,
};

/** The capabilities that the protocol knows; any other name is somebody's text. */
const CAPABILITIES = new Set([
  "sampling",
  "sampling/context",
  "sampling/tools",
  "elicitation",
  "elicitation/form",
  "elicitation/url",
  "roots",
  "roots/listChanged",
  "extensions/io.modelcontextprotocol/tasks",
]);

/** The fault of whatever a handler threw. */
export function foreignFault(cause: unknown, options: GuardOptions): Fault {
  const fault = toFault(cause, { thrown: options.thrown ?? "mask", allow: options.allow });
  const code = CODES[fault.reason];
  // What was thrown as a fault says itself what it has to say.
  if (code === undefined || fault.basis !== "mapped") return fault;
  const said = mcp.decode({ error: { code, message: "", data: snapshot(peek(cause, "data")) } });
  return said?.reason === "protocol/missing_client_capability" ? withCapabilities(fault, said) : (said ?? fault);
}

/** The link of an elicitation is meant for the caller; of capabilities only those that the protocol knows are. */
function withCapabilities(fault: Fault, { params }: Fault): Fault {
  const named = params?.["capabilities"];
  const known = (Array.isArray(named) ? named : []).flatMap((path) => {
    const known = [String(path), String(path).split("/", 1).join()].find((one) => CAPABILITIES.has(one));
    return known === undefined ? [] : [known];
  });
  return known.length === 0 ? fault : missing_client_capability.fault({ capabilities: known }, { basis: fault.basis });
}
