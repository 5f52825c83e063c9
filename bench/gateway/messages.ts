// What is sent and answered: 0.6 KB each way.

/** The headers of a call of 2026-07-28, apart from those of HTTP itself. */
export function callHeaders(tool: string): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": tool,
  };
}

/** Stands for an idempotency key in a body; the load writes another number in its place for each call. */
export const KEY_PLACE = "number-of-a-call";

/** A call of a tool in the protocol of 2026-07-28. */
export function callBody(tool: string, { isKeyed = false }: { readonly isKeyed?: boolean } = {}): string {
  const _meta = {
    ...(isKeyed && { "recourse/call": { id: "bench", attempt: 1, key: KEY_PLACE } }),
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: tool, arguments: { city: "Berlin", text: "in ".repeat(100).trim(), count: 3 }, _meta };
  return JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
}

/** A call of a tool in a session of 2025-11-25. */
export function sessionCallBody(tool: string): string {
  const params = { name: tool, arguments: { city: "Berlin", text: "in ".repeat(150).trim(), count: 3 } };
  return JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
}

/** The results of the stub, by the last part of the path it is asked at. */
export const RESULTS = {
  ok: { content: [{ type: "text", text: "out ".repeat(120).trim() }], structuredContent: { count: 3, city: "Berlin" } },
  failing: { content: [{ type: "text", text: "The order 4711 was not found in the warehouse." }], isError: true },
  large: { content: [{ type: "text", text: "a line of text\n".repeat(13_650) }] },
} as const satisfies Record<string, unknown>;
export type StubName = keyof typeof RESULTS;

/** The tool that every upstream of the bench offers. */
export const TOOL = {
  name: "echo",
  description: "Answers with some text.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, text: { type: "string" }, count: { type: "integer" } },
    required: ["city"],
  },
} as const;
