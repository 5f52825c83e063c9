import type { Fault } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import type { EncodeContext } from "../dialect.ts";
import { JSON_RPC_CODES } from "../rpc.ts";

/** The protocol revisions that this dialect writes, oldest first. */
export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
/** One protocol revision. */
export type Revision = (typeof REVISIONS)[number];

/** Where a request of the newer era names its revision, in `_meta`. */
export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** The revision to write where none was negotiated. */
export const LATEST_REVISION: Revision = "2026-07-28";

/** Returns the known revision of that name; every other version counts as the last revision before 2026-07-28. */
export function parseRevision(version: string | undefined): Revision {
  return REVISIONS.find((one) => one === version) ?? "2025-11-25";
}

/** Options for writing a fault for MCP. */
export interface McpContext extends EncodeContext {
  /** The negotiated protocol revision. @default "2026-07-28" */
  readonly revision?: Revision | undefined;
}

/** The JSON-RPC codes that a server may send in each revision. */
export const LEGAL_CODES: Readonly<Record<Revision, readonly number[]>> = {
  "2025-06-18": [...JSON_RPC_CODES, -32002],
  "2025-11-25": [...JSON_RPC_CODES, -32002, -32042],
  "2026-07-28": [...JSON_RPC_CODES, -32020, -32021, -32022],
};

/** The HTTP status that a revision requires for a code. Every other error has status 200. */
export const FIXED_STATUS: Readonly<Record<Revision, Readonly<Record<number, number>>>> = {
  "2025-06-18": {},
  "2025-11-25": {},
  "2026-07-28": { [-32601]: 404, [-32020]: 400, [-32021]: 400, [-32022]: 400 },
};

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
