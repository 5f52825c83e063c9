/** Texts to try, by the name of their form. The credentials in them are made up. */
export const EXAMPLE_TEXTS = {
  "JSON-RPC": `{
  "jsonrpc": "2.0",
  "id": 7,
  "error": {
    "code": -32602,
    "message": "Tool serach_orders not found"
  }
}`,
  isError: `{
  "isError": true,
  "content": [
    { "type": "text", "text": "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/orders" }
  ]
}`,
  HTTP: `HTTP/1.1 429 Too Many Requests
content-type: application/json
retry-after: 30

{"error":"rate limit exceeded"}`,
  "Log line": `2026-11-18T08:00:01.120Z [orders] [error] spawn uvx ENOENT
2026-11-18T08:00:04.730Z [search] [error] MCP error -32001: Request timed out
2026-11-18T08:01:04.733Z [search] [error] MCP error -32001: Request timed out`,
  Stack: `McpError: MCP error -32000: Connection closed
    at McpError.fromError (file:///app/node_modules/@modelcontextprotocol/sdk/dist/esm/types.js:2042:16)
    at Client._onclose (file:///app/node_modules/@modelcontextprotocol/sdk/dist/esm/shared/protocol.js:256:32)`,
} as const satisfies Record<string, string>;
