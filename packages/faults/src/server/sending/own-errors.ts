import { mcp } from "../../dialects/mcp/mcp.ts";
import type { RpcError } from "../../dialects/wire.ts";
import type { Fault } from "../../fault/fault.ts";
import { internal } from "../../reasons/library/core.ts";
import { invalid_params, invalid_request, method_not_found, parse_error } from "../../reasons/library/protocol.ts";
import type { PeerRequest } from "../peer.ts";
import { withoutProse } from "./without-prose.ts";

// Errors that the SDK sends without asking a handler: they have a code and a sentence, but say nothing of what to do next.

/** Codes that mean the same whoever sends them, without a look at their data. */
const PLAIN: Readonly<Record<number, { fault(): Fault }>> = {
  [-32700]: parse_error,
  [-32600]: invalid_request,
  [-32601]: method_not_found,
  [-32602]: invalid_params,
};

/** Codes that only their data explains. */
const WITH_DATA = [-32020, -32021, -32022];

/**
 * The fault of an error that nobody here has written.
 * What the SDK refuses while it takes the request in is its own; what comes later may hold anything of anybody's.
 */
export function faultOfError(error: RpcError, taken: PeerRequest | undefined): Fault {
  if (error.code === -32601 && taken !== undefined) return method_not_found.fault({ method: taken.method });
  const plain = PLAIN[error.code];
  if (plain !== undefined) return plain.fault();
  if (taken === undefined || !WITH_DATA.includes(error.code)) return internal.fault();
  return withoutProse(mcp.decode({ error })) ?? internal.fault();
}
