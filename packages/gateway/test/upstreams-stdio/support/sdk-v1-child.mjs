// A server of the official SDK before 2026-07-28.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "v1", version: "1.0.0" }, { instructions: "older" });
server.registerTool("greet", { inputSchema: { name: z.string() } }, async ({ name }, extra) => {
  const progressToken = extra._meta?.progressToken;
  if (progressToken !== undefined) {
    await extra.sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress: 1, message: name },
    });
  }
  return { content: [{ type: "text", text: `Hello ${name}` }] };
});
await server.connect(new StdioServerTransport());
