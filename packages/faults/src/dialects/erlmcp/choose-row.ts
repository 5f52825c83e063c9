// Chooses the row of erlmcp's table that a fault is written as. Reading replies needs none of this.
import type { Fault } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { stringAt } from "../../json/read.ts";
import * as auth from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import type { EncodeContext } from "../dialect.ts";
import { type ErlmcpCode, type ErlmcpRow, erlmcpRowOfCode, erlmcpRowOfReason } from "./table.ts";

/** The code of each kind, for reasons that are not in the table. */
export const ERLMCP_BY_KIND = {
  invalid_input: -32602,
  invalid_request: -32600,
  unauthenticated: -32051,
  forbidden: -32052,
  approval_required: -32052,
  rate_limited: -32010,
  overloaded: -32010,
  timeout: -32009,
  unavailable: -32008,
  upstream_failed: -32031,
  not_found: -32001,
  conflict: -32006,
  precondition_failed: -32005,
  unsupported: -32601,
  quota_exhausted: -32010,
  cancelled: -32033,
  internal: -32603,
  unknown: -32603,
} as const satisfies Record<Kind, ErlmcpCode>;

/** The code of a kind in a tool call, if it is another one there. */
const TOOL_CODE_BY_KIND: Partial<Readonly<Record<Kind, ErlmcpCode>>> = {
  invalid_input: -32034,
  internal: -32031,
  unknown: -32031,
};

/** The code of a reason that is not in the table and means more than its kind. */
const CODE_BY_REASON: Readonly<Record<string, ErlmcpCode>> = {
  [protocol.missing_client_capability.id]: -32063,
  [protocol.malformed_call.id]: -32602,
};

/** The code of an internal error, by the method that it happened in. */
const INTERNAL_CODE_BY_METHOD: Readonly<Record<string, ErlmcpCode>> = {
  "prompts/get": -32044,
  "completion/complete": -32113,
};

/** The template of the resource that a failed request read, which the server kit passes on. */
export function uriTemplateOf(context: EncodeContext): string | undefined {
  return context.method === "resources/read" ? stringAt(context, "uriTemplate") : undefined;
}

/** Reasons that say no more than the code that they are written with, so that its fixed message is written too. */
export const FIXED_MESSAGE_REASONS: readonly string[] = [
  core.internal.id,
  core.cancelled.id,
  auth.unauthorized.id,
  auth.header_invalid.id,
  auth.insufficient_scope.id,
  protocol.bad_request.id,
  protocol.malformed_call.id,
];

/** The code for `not_found`, by the domain of the reason. */
export const NOT_FOUND_BY_DOMAIN: Readonly<Record<string, ErlmcpCode>> = {
  tool: -32002,
  prompt: -32003,
  task: -32081,
  completion: -32110,
};

/** The row that a fault is written as: by its reason where the table has it, else by its kind. */
export function erlmcpRowFor(fault: Fault, context: EncodeContext): ErlmcpRow {
  const kind = knownKind(fault);
  const [domain = ""] = fault.reason.split("/");
  const ofTool = domain === "tool" || context.method === "tools/call" || context.tool !== undefined;
  let code: number =
    CODE_BY_REASON[fault.reason] ?? (ofTool ? TOOL_CODE_BY_KIND[kind] : undefined) ?? ERLMCP_BY_KIND[kind];
  if (kind === "not_found" && Object.hasOwn(NOT_FOUND_BY_DOMAIN, domain)) code = NOT_FOUND_BY_DOMAIN[domain] as number;
  const byKind = erlmcpRowOfCode(code) as ErlmcpRow;
  if (fault.reason !== core.internal.id) return erlmcpRowOfReason(fault.reason) ?? byKind;
  // What broke in a tool, a template, a prompt or a completion has the code of that.
  const ofMethod = uriTemplateOf(context) === undefined ? INTERNAL_CODE_BY_METHOD[context.method ?? ""] : -32029;
  return erlmcpRowOfCode(ofMethod ?? code) ?? byKind;
}
