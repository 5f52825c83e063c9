import type { RpcError } from "../../dialects/envelope.ts";
import { markDecoded } from "../../dialects/peer-fault.ts";
import { faultOfRpcCode } from "../../dialects/rpc.ts";
import { amendFault } from "../../fault/amend.ts";
import type { Fault, Origin } from "../../fault/fault.ts";
import { RELEASED } from "../../fault/provenance.ts";
import { internal } from "../../reasons/library/core.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import type { SdkRequest } from "../../sdk/server.ts";
import { memberAt } from "../../wire/json.ts";
import { VERSION_KEY } from "../../wire/names.ts";
import { releaseFault } from "../release.ts";

const HERE: Origin = Object.freeze({ layer: "server" });

/** The capabilities that the protocol knows; any other name is foreign text. */
const KNOWN_CAPABILITIES = /* @__PURE__ */ new Set(
  (
    "sampling sampling/context sampling/tools elicitation elicitation/form elicitation/url roots " +
    "roots/listChanged extensions/io.modelcontextprotocol/tasks"
  ).split(" "),
);

/**
 * A fault that was read from a part of this server: its facts count, but its text was not written for callers. `version` is
 * the one that the caller itself asked for.
 */
export function bareFault(fault: Fault, version?: unknown): Fault {
  const { fault: bare } = releaseFault(fault, { foreignText: "hide" });
  const changes = { origin: HERE, basis: "stated" } as const;
  const capabilities = knownCapabilities(fault);
  if (fault.reason === protocol.version_unsupported.id && typeof version === "string") {
    return protocol.version_unsupported.fault(
      { ...bare.params, requested: version },
      { effect: fault.effect, ...changes },
    );
  }
  if (capabilities.length === 0) return amendFault(bare, changes, { provenance: RELEASED });
  return protocol.missing_client_capability.fault({ capabilities }, { effect: fault.effect, ...changes });
}

export function knownCapabilities({ params, reason }: Fault): string[] {
  const named = reason === protocol.missing_client_capability.id ? params?.["capabilities"] : undefined;
  return (Array.isArray(named) ? named : []).flatMap((path) => {
    const known = [String(path), String(path).split("/", 1).join()].find((one) => KNOWN_CAPABILITIES.has(one));
    return known === undefined ? [] : [known];
  });
}

/** Codes that mean the same from every sender, whatever their data. */
const PLAIN_CODES: Readonly<Record<number, { fault(): Fault }>> = {
  [-32700]: protocol.parse_error,
  [-32600]: protocol.invalid_request,
  [-32601]: protocol.method_not_found,
  [-32602]: protocol.invalid_params,
};

/** Codes that only their data explains. */
const WITH_DATA = [-32020, -32021, -32022];

/**
 * The fault of a JSON-RPC error that this kit did not write. `received` is the request that the SDK is just receiving: what
 * it refuses then is the SDK's own; an error that comes later may contain anything.
 */
export function faultOfRpcError(error: RpcError, received: SdkRequest | undefined): Fault {
  if (error.code === -32601 && received !== undefined)
    return protocol.method_not_found.fault({ method: received.method });
  const plain = PLAIN_CODES[error.code];
  if (plain !== undefined) return plain.fault();
  if (received === undefined || !WITH_DATA.includes(error.code)) return internal.fault();
  return bareFault(markDecoded(faultOfRpcCode(error)), memberAt(received.params?.["_meta"], VERSION_KEY));
}
