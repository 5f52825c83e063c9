// A server of the official SDK, version 1, with resources that can be followed.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const server = new McpServer({ name: "child", version: "1.0.0" }, { capabilities: { resources: { subscribe: true } } });
const followed = new Set();
for (const uri of ["doc://one", "doc://two"]) {
  server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: "text" }] }));
}
server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
  followed.add(params.uri);
  return {};
});
server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
  followed.delete(params.uri);
  return {};
});
server.registerTool("update", { inputSchema: { uri: z.string() } }, async ({ uri }) => {
  if (followed.has(uri)) await server.server.sendResourceUpdated({ uri });
  return { content: [] };
});
server.registerTool("followed", {}, () => ({ content: [{ type: "text", text: JSON.stringify([...followed]) }] }));
await server.connect(new StdioServerTransport());
