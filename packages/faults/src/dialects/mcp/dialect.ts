import { createDecoder } from "../define.ts";
import type { Dialect } from "../dialect.ts";
import { decodeMcp } from "./decode.ts";
import { encodeMcp, type McpWire } from "./encode.ts";
import type { McpContext } from "./table.ts";

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
};
