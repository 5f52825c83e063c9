// What the JSON-RPC codes of MCP mean, for every reader of its errors.
import type { Details } from "../fault/build.ts";
import type { Fault } from "../fault/fault.ts";
import { readFault } from "../fault/read.ts";
import { internal, unrecognised } from "../reasons/library/core.ts";
import { url_required } from "../reasons/library/elicitation.ts";
import {
  header_mismatch,
  invalid_params,
  invalid_request,
  method_not_found,
  missing_client_capability,
  parse_error,
  version_unsupported,
} from "../reasons/library/protocol.ts";
import { not_found as resource_not_found } from "../reasons/library/resource.ts";
import { NAMESPACE, readCertainty } from "./certainty.ts";
import type { DecodeContext, TableReason } from "./dialect.ts";
import { quoteOf } from "./prose.ts";
import { arrayAt, isJson, type Json, memberAt, objectAt, type RpcError, stringAt } from "./wire.ts";

/** Where the whole fault travels, in `_meta` of a result and in `data` of an error. */
export const FAULT_KEY: string = `${NAMESPACE}/fault`;

/** The codes that the protocol gives a meaning, in any of its revisions. */
export const BY_CODE: Readonly<Record<number, TableReason>> = {
  [-32700]: parse_error,
  [-32600]: invalid_request,
  [-32601]: method_not_found,
  [-32602]: invalid_params,
  [-32603]: internal,
  [-32002]: resource_not_found,
  [-32020]: header_mismatch,
  [-32021]: missing_client_capability,
  [-32022]: version_unsupported,
  [-32042]: url_required,
};

/** Reads an error of JSON-RPC: the whole fault where it carries one, else by its code. */
export function readRpcError(error: RpcError, context: DecodeContext): Fault {
  return readFault(memberAt(error.data, FAULT_KEY), context) ?? byCode(error, context);
}

function byCode(error: RpcError, context: DecodeContext): Fault {
  // Codes of the legacy range have no meaning of their own; those outside the table are somebody's private ones.
  const reason = isMissingResource(error) ? resource_not_found : (BY_CODE[error.code] ?? unrecognised);
  return reason.fault(paramsOf(reason, error.data), {
    ...context,
    ...readCertainty(error.data),
    ...quoteOf(error.message),
    ...(reason === url_required && askingOf(error.data)),
  });
}

/** Whom to ask, and where: the id comes back when the user is done. */
function askingOf(data: unknown): Details {
  const first = arrayAt(data, "elicitations")[0];
  const link = stringAt(first, "url");
  const approval = stringAt(first, "elicitationId");
  if (link === undefined) return {};
  return { recourse: [{ do: "ask_user", ...(approval !== undefined && { approval }), link }] };
}

/** On -32602 nothing but the URI alone tells a missing resource from other wrong parameters. */
function isMissingResource({ code, data }: RpcError): boolean {
  return code === -32602 && isJson(data) && Object.keys(data).join() === "uri";
}

function paramsOf(reason: TableReason, data: unknown): Json {
  const uri = stringAt(data, "uri");
  if (reason === resource_not_found) return uri === undefined ? {} : { uri };
  if (reason === missing_client_capability) {
    const required = objectAt(data, "requiredCapabilities");
    return required === undefined ? {} : { capabilities: pathsOf(required) };
  }
  if (reason !== version_unsupported) return {};
  const requested = stringAt(data, "requested");
  const supported = arrayAt(data, "supported");
  return { ...(requested !== undefined && { requested }), ...(supported.length > 0 && { supported }) };
}

/** The names of the capabilities, and of those within them as `elicitation/form`. */
function pathsOf(required: Json): string[] {
  return Object.entries(required).flatMap(([name, inner]) => {
    const within = isJson(inner) ? Object.keys(inner) : [];
    return within.length === 0 ? [name] : within.map((one) => `${name}/${one}`);
  });
}
