// A server of the official SDK, version 2, with resources that can be followed.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const capabilities = { resources: { subscribe: true } };
  const server = new McpServer({ name: "child", version: "1.0.0" }, { capabilities });
  for (const uri of ["doc://one", "doc://two"]) {
    server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: "text" }] }));
  }
  server.registerTool("update", { inputSchema: z.object({ uri: z.string() }) }, async ({ uri }) => {
    await server.server.sendResourceUpdated({ uri });
    return { content: [] };
  });
  return server;
});
