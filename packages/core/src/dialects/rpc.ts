// Reads JSON-RPC errors by the codes that MCP defines.

import type { FaultDetails } from "../fault/build.ts";
import type { Fault } from "../fault/fault.ts";
import { internal, unrecognised } from "../reasons/library/core.ts";
import { url_required } from "../reasons/library/elicitation.ts";
import * as protocol from "../reasons/library/protocol.ts";
import { not_found as resource_not_found } from "../reasons/library/resource.ts";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "../wire/json.ts";
import { FAULT_KEY } from "../wire/names.ts";
import { readCarriedMembers } from "./carried-members.ts";
import type { DecodeContext, TableReason } from "./dialect.ts";
import type { RpcError } from "./envelope.ts";
import { readPeerFault } from "./peer-fault.ts";
import { peerQuote } from "./sentence.ts";

/** The reason of each code that MCP defines, in any of its revisions. */
export const MCP_REASON_BY_CODE: Readonly<Record<number, TableReason>> = {
  [-32700]: protocol.parse_error,
  [-32600]: protocol.invalid_request,
  [-32601]: protocol.method_not_found,
  [-32602]: protocol.invalid_params,
  [-32603]: internal,
  [-32002]: resource_not_found,
  [-32020]: protocol.header_mismatch,
  [-32021]: protocol.missing_client_capability,
  [-32022]: protocol.version_unsupported,
  [-32042]: url_required,
};

/** Reads a JSON-RPC error: the fault that it carries, or else the meaning of its code. */
export function readRpcError(error: RpcError, context: DecodeContext): Fault {
  return readPeerFault(memberAt(error.data, FAULT_KEY), context) ?? faultOfRpcCode(error, context);
}

export function faultOfRpcCode(error: RpcError, context: DecodeContext = {}): Fault {
  // MCP gives no meaning to codes outside the table: they belong to the server that chose them.
  const reason = isMissingResource(error) ? resource_not_found : (MCP_REASON_BY_CODE[error.code] ?? unrecognised);
  const params = rpcErrorParams(reason, error.data);
  const said = unlessOwnText(error.message, reason.fault(params));
  return reason.fault(params, {
    ...context,
    ...readCarriedMembers(error.data),
    ...peerQuote(said),
    ...(reason === url_required && elicitationDetails(error.data)),
  });
}

/** A text, unless it begins with what this library says about the fault: then a quotation would say everything twice. */
function unlessOwnText(text: string | undefined, fault: Fault): string | undefined {
  return text?.startsWith(fault.message) === true ? undefined : text;
}

/** The link for the user, and the id that comes back when the user is done. */
function elicitationDetails(data: unknown): FaultDetails {
  const first = arrayAt(data, "elicitations")[0];
  const link = stringAt(first, "url");
  const approval = stringAt(first, "elicitationId");
  if (link === undefined) return {};
  return { recourse: [{ do: "ask_user", ...(approval !== undefined && { approval }), link }] };
}

/** With -32602, data that is exactly a URI means a missing resource and not wrong parameters. */
function isMissingResource({ code, data }: RpcError): boolean {
  return code === -32602 && isObject(data) && Object.keys(data).join() === "uri";
}

function rpcErrorParams(reason: TableReason, data: unknown): JsonObject {
  const uri = stringAt(data, "uri");
  if (reason === resource_not_found) return uri === undefined ? {} : { uri };
  if (reason === protocol.missing_client_capability) {
    const required = objectAt(data, "requiredCapabilities");
    return required === undefined ? {} : { capabilities: capabilityPaths(required) };
  }
  if (reason !== protocol.version_unsupported) return {};
  const requested = stringAt(data, "requested");
  const supported = arrayAt(data, "supported");
  return { ...(requested !== undefined && { requested }), ...(supported.length > 0 && { supported }) };
}

/** Names of capabilities; one inside another is written as `elicitation/form`. */
function capabilityPaths(required: JsonObject): string[] {
  return Object.entries(required).flatMap(([name, inner]) => {
    const within = isObject(inner) ? Object.keys(inner) : [];
    return within.length === 0 ? [name] : within.map((one) => `${name}/${one}`);
  });
}

const CODE_PREFIX = /^MCP error (-?\d{1,9}): /;

/** Removes the prefixes `MCP error -32602: ` of version 1 of the SDK, one per hop, and returns the first code. */
export function stripCodePrefix(message: string): { readonly text: string; readonly code: number | undefined } {
  let text = message;
  let code: number | undefined;
  for (let times = 0; times < 8; times++) {
    const found = CODE_PREFIX.exec(text);
    if (found === null) break;
    code ??= Number(found[1]);
    text = text.slice(found[0].length);
  }
  return { text, code };
}
