import { FIXED_STATUS, LATEST_REVISION, LEGAL_CODES, type Revision } from "@recourse/wire";
import type { Fault } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import type { EncodeContext } from "../dialect.ts";

/** Options for writing a fault for MCP. */
export interface McpContext extends EncodeContext {
  /** The negotiated protocol revision. @default the newest */
  readonly revision?: Revision | undefined;
}

/** Codes for single reasons, in order of preference. The first that the revision allows is written. */
const CODES_BY_REASON: Readonly<Record<string, readonly number[]>> = {
  "protocol/parse_error": [-32700],
  "protocol/method_not_found": [-32601],
  "protocol/header_mismatch": [-32020, -32600],
  "protocol/missing_client_capability": [-32021, -32602],
  "protocol/version_unsupported": [-32022, -32602],
  "protocol/malformed_call": [-32602],
  "protocol/request_state_invalid": [-32602],
  "elicitation/url_required": [-32042],
  "tool/not_found": [-32602],
  "tool/unreachable": [-32602],
  "resource/not_found": [-32002, -32602],
};

/** The code of each kind outside tool calls. MCP has few codes, so most kinds are internal errors to it. */
const CODE_BY_KIND = {
  invalid_input: -32602,
  invalid_request: -32600,
  unauthenticated: -32603,
  forbidden: -32603,
  approval_required: -32603,
  rate_limited: -32603,
  overloaded: -32603,
  timeout: -32603,
  unavailable: -32603,
  upstream_failed: -32603,
  not_found: -32602,
  conflict: -32603,
  precondition_failed: -32603,
  unsupported: -32603,
  quota_exhausted: -32603,
  cancelled: -32603,
  internal: -32603,
  unknown: -32603,
} as const satisfies Record<Kind, number>;

/**
 * The JSON-RPC code that a fault is written with; undefined means a tool result.
 * A failed tool and wrong arguments are tool results in every revision, because clients show those to the model.
 */
export function mcpCodeFor(fault: Fault, context: McpContext): number | undefined {
  const legal = LEGAL_CODES[context.revision ?? LATEST_REVISION];
  const own = CODES_BY_REASON[fault.reason]?.find((code) => legal.includes(code));
  // A tool that did not find a resource has run. Only a request for the resource itself gets the resource's code.
  const ran = context.method === "tools/call" && fault.reason === "resource/not_found";
  if (own !== undefined && !ran) return own;
  const kind = knownKind(fault);
  const ofTool = context.method === undefined || context.method === "tools/call";
  // A malformed MCP message never reached the tool. A tool that sent something malformed elsewhere has run.
  const reached = kind !== "invalid_request" || !/^(?:protocol|content)\//.test(fault.reason);
  return ofTool && reached ? undefined : CODE_BY_KIND[kind];
}

/** The HTTP status that the revision requires for a fault; 200 if it requires none. */
export function mcpHttpStatus(fault: Fault, context: McpContext): number {
  const code = mcpCodeFor(fault, context);
  return (code === undefined ? undefined : FIXED_STATUS[context.revision ?? LATEST_REVISION][code]) ?? 200;
}
