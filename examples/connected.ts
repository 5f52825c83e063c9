// A client of the official SDK, connected to a server in the same process.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";

/** Connects a client to what `createServer` makes; `close` ends both. */
export async function connected(createServer: () => McpServer): Promise<{ client: Client; close(): Promise<void> }> {
  const handler = createMcpHandler(createServer);
  const client = new Client({ name: "test", version: "1.0.0" });
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  return {
    client,
    async close() {
      await client.close();
      await handler.close();
    },
  };
}
