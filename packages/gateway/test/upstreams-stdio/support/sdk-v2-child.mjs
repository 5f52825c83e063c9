// A server of the official SDK that speaks both eras.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "v2", version: "1.0.0" }, { instructions: "newer" });
  server.registerTool("greet", { inputSchema: z.object({ name: z.string() }) }, async ({ name }, context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1, message: name },
      });
    }
    return { content: [{ type: "text", text: `Hello ${name}` }] };
  });
  return server;
});
