import type { Fault } from "../../fault/fault.ts";
import { not_found } from "../../reasons/library/resource.ts";
import { createDecoder } from "../define.ts";
import type { Dialect } from "../dialect.ts";
import { applyLosses, type Losses } from "../losses.ts";
import { afterPeerRead } from "../peer-fault.ts";
import { unlessOwnText } from "../rpc.ts";
import { decodeMcp } from "./decode.ts";
import { encodeMcp, isBareMissingResource, type McpWire, mcpErrorMessage } from "./encode.ts";
import { type McpContext, mcpCodeFor } from "./table.ts";

/** The `data` of a missing resource is only its URI, so nothing else of it is left. */
const MISSING_RESOURCE_LOSSES: Losses<{ readonly reason: typeof not_found }, McpContext> = {
  row: () => ({ reason: not_found }),
  params: missingUri,
  quote: (fault, _row, context) => unlessOwnText(mcpErrorMessage(fault, context), not_found.fault(missingUri(fault))),
  narrowed: { incident: () => undefined },
};

function missingUri({ params }: Fault): { readonly uri: string } {
  return { uri: params?.["uri"] as string };
}

/**
 * MCP itself, revisions 2025-06-18, 2025-11-25 and 2026-07-28: the fault travels beside the members that every client
 * reads, in `_meta` of a tool result or in `data` of a JSON-RPC error.
 *
 * A reader gets the same failure. The message of a library reason is composed again, that of any other reason becomes a
 * quotation of the server. A missing resource loses more: its `data` is exactly the URI, so nothing but URI, effect and basis
 * survive.
 *
 * @example
 * import { tool } from "@recourse/faults";
 * import { mcp } from "@recourse/faults/dialects";
 *
 * const { fault } = tool.timeout({ tool: "search", timeoutMs: 30_000 });
 * const wire = mcp.encode(fault, { method: "tools/call", revision: "2025-11-25" });
 * // { result: { content: [{ type: "text", text: "…" }], isError: true, _meta: { "recourse/fault": { … } } } }
 * mcp.decode(wire); // the same fault
 */
export const mcp: Dialect<McpWire, McpContext> = {
  name: "mcp",
  encode: encodeMcp,
  decode: createDecoder(decodeMcp),
  // The fault itself is sent, with its texts as those of the server.
  afterRoundTrip(fault, context = {}) {
    const isBare = mcpCodeFor(fault, context) !== undefined && isBareMissingResource(fault);
    return isBare ? applyLosses(MISSING_RESOURCE_LOSSES, fault, context) : afterPeerRead(fault);
  },
};
