import type { Fault } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import type { EncodeContext } from "../dialect.ts";
import { LATEST, LEGAL_CODES, type Revision } from "./revision.ts";

/** What encoding for MCP may be told. */
export interface McpContext extends EncodeContext {
  readonly revision?: Revision | undefined;
  /** Whether the tool has an output schema; where it surely has none, the fault is in `structuredContent` too. */
  readonly outputSchema?: boolean | undefined;
}

/** Reasons that have a code of their own, where the revision has it. */
const BY_REASON: Readonly<Record<string, readonly number[]>> = {
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

/** The code of each kind outside tools: the protocol has few, so most are internal errors to it. */
const BY_KIND = {
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
 * The JSON-RPC code that a fault goes out with, or undefined when it is the result of a tool that ran:
 * a tool's own failure and wrong arguments are results in every revision, because clients show those to the model.
 */
export function codeFor(fault: Fault, context: McpContext): number | undefined {
  const legal = LEGAL_CODES[context.revision ?? LATEST];
  const own = BY_REASON[fault.reason]?.find((code) => legal.includes(code));
  // A tool that looked for a resource in vain has run; the request that names the resource itself has not.
  const ran = context.method === "tools/call" && fault.reason === "resource/not_found";
  if (own !== undefined && !ran) return own;
  const kind = knownKind(fault);
  const ofTool = context.method === undefined || context.method === "tools/call";
  // A malformed message never reached the tool; a tool that calls something malformed has run.
  const reached = kind !== "invalid_request" || !/^(?:protocol|content)\//.test(fault.reason);
  return ofTool && reached ? undefined : BY_KIND[kind];
}
