import { amendFault } from "../../fault/amend.ts";
import type { Fault, Origin } from "../../fault/fault.ts";
import { CHOSEN } from "../../fault/provenance.ts";
import { missing_client_capability, version_unsupported } from "../../reasons/library/protocol.ts";
import { releaseFault } from "../release.ts";

const HERE: Origin = Object.freeze({ layer: "server" });

/** The capabilities that the protocol knows; any other name is foreign text. */
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

/**
 * A fault that was read from a part of this server: its facts count, but its text was not written for callers. `version` is
 * the one that the caller itself asked for.
 */
export function bareFault(fault: Fault, version?: unknown): Fault {
  const { fault: bare } = releaseFault(fault, { foreignText: "hide" });
  const changes = { origin: HERE, basis: "stated" } as const;
  const capabilities = knownCapabilities(fault);
  if (fault.reason === version_unsupported.id && typeof version === "string") {
    return version_unsupported.fault({ ...bare.params, requested: version }, { effect: fault.effect, ...changes });
  }
  if (capabilities.length === 0) return amendFault(bare, changes, { provenance: CHOSEN });
  return missing_client_capability.fault({ capabilities }, { effect: fault.effect, ...changes });
}

/** The capabilities in the params of a fault, as far as the protocol knows them. */
export function knownCapabilities({ params, reason }: Fault): string[] {
  const named = reason === missing_client_capability.id ? params?.["capabilities"] : undefined;
  return (Array.isArray(named) ? named : []).flatMap((path) => {
    const known = [String(path), String(path).split("/", 1).join()].find((one) => CAPABILITIES.has(one));
    return known === undefined ? [] : [known];
  });
}
