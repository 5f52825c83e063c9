import type { RpcError } from "../../dialects/envelope.ts";
import { VERSION_KEY } from "../../dialects/mcp/table.ts";
import { markDecoded } from "../../dialects/peer-fault.ts";
import { faultOfRpcCode } from "../../dialects/rpc.ts";
import type { Fault } from "../../fault/fault.ts";
import { memberAt } from "../../json/read.ts";
import { internal } from "../../reasons/library/core.ts";
import { invalid_params, invalid_request, method_not_found, parse_error } from "../../reasons/library/protocol.ts";
import type { SdkRequest } from "../../sdk/server.ts";
import { bareFault } from "./bare-fault.ts";

/** Codes that mean the same from every sender, whatever their data. */
const PLAIN: Readonly<Record<number, { fault(): Fault }>> = {
  [-32700]: parse_error,
  [-32600]: invalid_request,
  [-32601]: method_not_found,
  [-32602]: invalid_params,
};

/** Codes that only their data explains. */
const WITH_DATA = [-32020, -32021, -32022];

/**
 * The fault of a JSON-RPC error that this kit did not write. `received` is the request that the SDK is just receiving: what
 * it refuses then is the SDK's own; an error that comes later may contain anything.
 */
export function faultOfRpcError(error: RpcError, received: SdkRequest | undefined): Fault {
  if (error.code === -32601 && received !== undefined) return method_not_found.fault({ method: received.method });
  const plain = PLAIN[error.code];
  if (plain !== undefined) return plain.fault();
  if (received === undefined || !WITH_DATA.includes(error.code)) return internal.fault();
  return bareFault(markDecoded(faultOfRpcCode(error)), memberAt(received.params?.["_meta"], VERSION_KEY));
}
