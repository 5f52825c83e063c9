// A server of the official SDK over stdio that asks by its result, in the newer era.
import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "newer", version: "1.0.0" });
  server.registerTool("ask", { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const city = acceptedContent<{ city: string }>(mcpReq.inputResponses, "city")?.city;
    if (city !== undefined) return { content: [{ type: "text", text: `to ${city}` }] };
    const requestedSchema = { type: "object", properties: { city: { type: "string" } } } as const;
    return inputRequired({
      inputRequests: { city: inputRequired.elicit({ message: "Which city?", requestedSchema }) },
    });
  });
  return server;
});
